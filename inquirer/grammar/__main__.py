"""Prints the rules as a table for docs/inquirer.md: python -m inquirer.grammar"""

from inquirer.grammar import BOOKS, RULES, yes_no

ANSWERS = {True: "one", False: "several", None: "it depends"}


def table() -> str:
    """A row for each rule, file by file."""
    rows = ["| rule | reads | asks | right answers |", "|---|---|---|---|"]
    for book in BOOKS:
        name = book.__name__.rpartition(".")[2]
        rows.append(f"| **{name}** | {(book.__doc__ or '').strip()} | | |")
        for rule in (rule for rule in RULES if rule.write.__module__ == book.__name__):
            statement, asked = next(iter(rule.examples.items()))
            rows.append(f"| {rule.name} | {rule.matches}: *{statement}* | {asked} | {ANSWERS[rule.single]} |")
    statement, asked = next(iter(yes_no.EXAMPLES.items()))
    rows.append(f"| {yes_no.NAME} | {yes_no.MATCHES}: *{statement}* | {asked} | one |")
    return "\n".join(rows)


if __name__ == "__main__":
    print(table())
