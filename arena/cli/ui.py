"""arena ui: serves the web pages on this machine, or behind a proxy with a login."""

from __future__ import annotations

import errno
import secrets
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import click

from arena.cli import gate
from arena.cli.common import db_option, say
from arena.cli.theme import theme
from arena.core.errors import InputError

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
    help="The folder for files and logs of launched runs.",
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
    """Starts the web pages and runs until Ctrl-C."""
    import os

    from arena.cli.common import repository
    from arena.core.errors import MissingPart

    if public_url and not behind_proxy:
        raise InputError("--public-url is for pages behind a proxy with a login; add --behind-proxy.")
    if behind_proxy and not public_url:
        raise InputError(
            "--behind-proxy needs --public-url, the address that people type: pages of other addresses may not "
            "talk to the server."
        )
    if host not in LOOPBACK and not behind_proxy:
        raise InputError(
            f"The pages have no login, so --host {host} is refused; keep 127.0.0.1, or put a reverse proxy "
            "with a login in front and add --behind-proxy."
        )
    try:
        import streamlit  # noqa: F401
    except ModuleNotFoundError as error:
        raise MissingPart("The web pages need streamlit: pip install streamlit.") from error
    repository(db, create=True).close()
    os.environ["ARENA_DB"] = db
    os.environ["ARENA_UI_LAUNCH"] = "1" if not behind_proxy or allow_launch else "0"
    if state:
        os.environ["ARENA_UI_STATE"] = state
    with bound(host, port) as listening:
        chosen = int(listening.getsockname()[1])
        shown = f"[{host}]" if ":" in host else host
        flags = settings(host, chosen, public_url)
        path = flags.get("server.baseUrlPath", "")
        token = None if behind_proxy else os.environ.get("ARENA_UI_TOKEN") or secrets.token_urlsafe(24)
        address = f"http://{shown}:{chosen}{'/' + path if path else ''}{'/?token=' + token if token else ''}"
        say(f"The pages are at {address} (Ctrl-C ends them).")
        hosts, origins = gate.local(chosen)
        if public_url:
            theirs, origins = gate.public(public_url)
            hosts += theirs
        serve(flags, listening, Admitted(hosts, origins, token))


@dataclass(frozen=True)
class Admitted:
    """The hosts, origins and token that give access to the pages."""

    hosts: list[str]
    origins: list[str]
    token: str | None


@contextmanager
def bound(host: str, port: int) -> Iterator[socket.socket]:
    """Open a listening socket. It fails before an address is printed if the port is taken."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listening.bind((host, port))
            listening.listen(2048)
        except OSError as error:
            if error.errno == errno.EADDRINUSE:
                raise InputError(
                    f"The port {port} is taken: end what listens there, or take a free one with --port 0."
                ) from error
            why = error.strerror or str(error)
            raise InputError(f"{host} port {port} cannot be used ({why}): name another --port.") from error
        listening.setblocking(False)
        listening.set_inheritable(True)
        yield listening
    finally:
        listening.close()


def settings(host: str, port: int, public_url: str | None = None) -> dict[str, Any]:
    """Return Streamlit's settings: no telemetry, no access for others, and no browser opens."""
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
    else:  # another site that resolves its own name to this machine must not reach the pages
        chosen["server.allowedHosts"] = list(LOOPBACK)
    return chosen


def _public(url: str) -> dict[str, Any]:
    """Restrict access to pages of the public address."""
    from urllib.parse import urlsplit

    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise InputError(f"--public-url {url} is not an address; give one such as https://arena.example.org.")
    return {
        "browser.serverAddress": parts.hostname,
        "browser.serverPort": parts.port or (443 if parts.scheme == "https" else 80),
        "server.baseUrlPath": parts.path.strip("/"),
        "server.corsAllowedOrigins": [f"{parts.scheme}://{parts.netloc}"],
        "server.allowedHosts": [parts.hostname, *LOOPBACK],
    }


def serve(flags: dict[str, Any], listening: socket.socket, admitted: Admitted) -> None:
    """Serve until Ctrl-C."""
    import uvicorn
    from streamlit.starlette import App
    from streamlit.web import bootstrap

    spec = find_spec("ui")
    assert spec is not None and spec.origin is not None
    script = Path(spec.origin).with_name("app.py")
    # Warm up while the server starts. Imported by name, because commands must not depend on pages.
    import_module("ui.warm").start()
    bootstrap.load_config_options({name.replace(".", "_"): value for name, value in flags.items()})
    # Pages import each other as `ui.…`, whatever folder the program was started in.
    sys.path.insert(0, str(script.parents[1]))
    port = int(listening.getsockname()[1])
    guarded = gate.Gate(
        App(script), hosts=admitted.hosts, origins=admitted.origins, token=admitted.token, port=port
    )
    config = uvicorn.Config(
        guarded,
        log_level="error",
        access_log=False,
        proxy_headers=False,
        server_header=False,
        timeout_graceful_shutdown=2,
        ws_max_size=1 << 24,
    )
    with suppress(KeyboardInterrupt):
        uvicorn.Server(config).run(sockets=[listening])
