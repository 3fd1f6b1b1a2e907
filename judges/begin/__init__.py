"""BEGIN (Dziri et al. 2021): is a response attributable to its knowledge, and if not, how does it fail?"""
