"""The checks, one module per group; a group is measured in one limited process. Importing a module opens no file."""
