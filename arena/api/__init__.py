"""The Python API: the functions that `import arena` offers, and the objects that they return."""
