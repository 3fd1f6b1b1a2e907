"""Question writers: they turn an entity and its clause into questions."""
