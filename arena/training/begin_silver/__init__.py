"""Silver data for BEGIN's classifier: the paper's adversarial methods, with their substitutions."""
