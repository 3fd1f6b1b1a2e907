"""What `import arena` offers: the functions behind its names, and what they give back."""
