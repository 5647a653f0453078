"""The web: pages, the API and the content origin, on Flask."""
