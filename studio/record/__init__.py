"""What can be read from the record of a run: its steps and their sums, who wrote which file, its other forms."""
