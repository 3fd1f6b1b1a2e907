"""The inquirer: finds the facts in an utterance and asks about them. Part of Consistency Arena."""

from inquirer.base import Extractor, Reader, Span, Task, Writer
from inquirer.build import build
from inquirer.inquirer import Inquirer
from inquirer.person import swap
from inquirer.selection import Chosen, duplicates, select

__all__ = [
    "Chosen",
    "Extractor",
    "Inquirer",
    "Reader",
    "Span",
    "Task",
    "Writer",
    "build",
    "duplicates",
    "select",
    "swap",
]
