"""Measurements that a person can repeat: what a sandbox costs."""
