"""python -m arena"""

from arena.cli import main

main()
