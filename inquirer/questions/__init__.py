"""Writers: from an entity and its clause to questions."""
