"""Silver data for BEGIN's classifier, made by the paper's adversarial methods or by substitutes for them."""
