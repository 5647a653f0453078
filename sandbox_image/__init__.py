"""What runs inside a sandbox: the image, the tool host and the inspector."""
