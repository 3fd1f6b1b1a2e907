"""BEGIN (Dziri et al. 2021): classifies whether a response is attributable to its knowledge and, if not, why."""
