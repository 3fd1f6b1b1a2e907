"""The Python API: the functions behind the names in `import arena`, and the objects they return."""
