"""BEGIN (Dziri et al. 2021): is a response attributable to its knowledge, and if not, in which way does it fail?"""
