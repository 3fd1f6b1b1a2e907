"""Where bots, inquirer and judges run during a tournament: in this process, or on a Ray cluster."""
