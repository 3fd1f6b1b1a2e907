"""arena ui: the web pages, on this machine unless somebody put a login in front."""

from __future__ import annotations

from typing import Any

import click

from arena.cli.common import db_option, say
from arena.cli.theme import theme

LOOPBACK = ("127.0.0.1", "localhost", "::1")


@click.command()
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8501,
    show_default=True,
    help="The port; 0 takes a free one.",
)
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option(
    "--behind-proxy",
    is_flag=True,
    help="Allows another --host: a reverse proxy with a login stands in front. Launching is off then.",
)
@click.option(
    "--allow-launch",
    is_flag=True,
    help="Behind a proxy: let everybody who may log in start programs, read files and load any bot.",
)
@click.option(
    "--public-url",
    metavar="URL",
    help="Behind a proxy: the address that people type, such as https://arena.example.org/pages.",
)
@click.option(
    "--state",
    type=click.Path(file_okay=False),
    metavar="DIR",
    help="Where launched runs keep their file and log.",
)
@db_option
def command(
    port: int,
    host: str,
    behind_proxy: bool,
    allow_launch: bool,
    public_url: str | None,
    state: str | None,
    db: str,
) -> None:
    """Starts the web pages and stays until Ctrl-C."""
    import os

    from arena.cli.common import repository
    from arena.core.errors import InputError, MissingPart

    if public_url and not behind_proxy:
        raise InputError("--public-url is for pages behind a proxy with a login; add --behind-proxy.")
    if host not in LOOPBACK and not behind_proxy:
        raise InputError(
            f"The pages have no login, so --host {host} is refused; keep 127.0.0.1, or put a reverse proxy "
            "with a login in front and add --behind-proxy."
        )
    try:
        import streamlit  # noqa: F401
    except ModuleNotFoundError as error:
        raise MissingPart("The web pages need streamlit: pip install streamlit.") from error
    repository(db, create=True).engine.dispose()
    chosen = port or free_port(host)
    os.environ["ARENA_DB"] = db
    os.environ["ARENA_UI_LAUNCH"] = "1" if not behind_proxy or allow_launch else "0"
    if state:
        os.environ["ARENA_UI_STATE"] = state
    shown = f"[{host}]" if ":" in host else host
    flags = settings(host, chosen, behind_proxy, public_url)
    path = flags.get("server.baseUrlPath", "")
    say(f"The pages are at http://{shown}:{chosen}{'/' + path if path else ''} (Ctrl-C ends them).")
    serve(flags)


def free_port(host: str) -> int:
    import socket

    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
        probe.bind((host, 0))
        return int(probe.getsockname()[1])


def settings(host: str, port: int, behind_proxy: bool, public_url: str | None = None) -> dict[str, Any]:
    """Streamlit's own settings: nothing leaves the machine, nobody else gets in, no browser opens."""
    chosen: dict[str, Any] = {
        "server.address": host,
        "server.port": port,
        "server.headless": True,
        "server.fileWatcherType": "none",
        "server.runOnSave": False,
        "server.enableCORS": True,
        "server.enableXsrfProtection": True,
        "server.maxUploadSize": 1,
        "server.showEmailPrompt": False,
        "browser.gatherUsageStats": False,
        "client.toolbarMode": "minimal",
        "client.showErrorDetails": "none",
        "client.showErrorLinks": False,  # they would send the error's text to a search engine
        "global.developmentMode": False,
        "logger.level": "error",
        "logger.hideWelcomeMessage": True,
        **theme(),
    }
    if public_url:
        chosen |= _public(public_url)
    elif not behind_proxy:
        # another site that resolves its own name to this machine must not reach the pages
        chosen["server.allowedHosts"] = list(LOOPBACK)
    return chosen


def _public(url: str) -> dict[str, Any]:
    """Only pages of this address may talk to the server."""
    from urllib.parse import urlsplit

    from arena.core.errors import InputError

    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise InputError(f"--public-url {url} is no address; give one such as https://arena.example.org.")
    return {
        "browser.serverAddress": parts.hostname,
        "browser.serverPort": parts.port or (443 if parts.scheme == "https" else 80),
        "server.baseUrlPath": parts.path.strip("/"),
        "server.corsAllowedOrigins": [f"{parts.scheme}://{parts.netloc}"],
        "server.allowedHosts": [parts.hostname, *LOOPBACK],
    }


def serve(flags: dict[str, Any]) -> None:
    from importlib import import_module
    from importlib.util import find_spec
    from pathlib import Path

    from streamlit.web import bootstrap

    spec = find_spec("ui")
    assert spec is not None and spec.origin is not None
    script = str(Path(spec.origin).with_name("app.py"))
    # while the server starts; by name, because the program's commands do not lean on its pages
    import_module("ui.warm").start()
    options = {name.replace(".", "_"): value for name, value in flags.items()}
    bootstrap.load_config_options(flag_options=options)
    bootstrap.run(script, False, [], options)
