"""What the inquirer knows of English: tokens, tags, verb forms, sentences."""
