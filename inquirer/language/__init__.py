"""The inquirer's English: tokens, tags, verb forms, sentences, clauses."""
