"""arena doctor: checks this installation and says what is missing."""

from __future__ import annotations

import click

from arena.cli.common import console, db_option, emit, json_option


@click.command()
@db_option
@json_option
def command(db: str, as_json: bool) -> int:
    """Checks Python, packages, plug-ins, disk and database; exit code 1 if something needed is missing."""
    from arena.doctor import examine

    checks = list(examine(db))
    if as_json:
        emit({"checks": [{"name": c.name, "ok": c.ok, "detail": c.detail, "cure": c.cure} for c in checks]})
    else:
        from rich.table import Table

        from arena.core.safe_text import rich_text

        table = Table(box=None, pad_edge=False)
        for column in ("", "part", "what", "cure"):
            table.add_column(column, overflow="fold")
        for c in checks:
            sign = "[green]✓[/]" if c.ok else ("[red]✗[/]" if c.needed else "[yellow]–[/]")
            table.add_row(sign, rich_text(c.name), rich_text(c.detail), rich_text("" if c.ok else c.cure))
        console().print(table)
    return 0 if all(c.ok or not c.needed for c in checks) else 1
