"""Where bots, inquirer and judges live while a tournament runs: in this process, or on a Ray cluster."""
