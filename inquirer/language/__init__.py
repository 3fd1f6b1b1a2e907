"""English for the inquirer: tokens, tags, verb forms, sentences, clauses."""
