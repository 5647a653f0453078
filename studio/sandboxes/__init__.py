"""Isolated computers: one client of the tool host, and the engines that start it."""
