"""The engines, which run bots, inquirer and judges during a tournament: in this process, or on a Ray cluster."""
