"""The rows of the simulation study: each a function of the number of repetitions that gives its figures."""
