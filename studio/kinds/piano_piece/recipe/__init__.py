"""The house recipe's programs; they run in the sandbox as the package `piano`."""
