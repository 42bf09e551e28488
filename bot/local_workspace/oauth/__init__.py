"""Installing an app in a workspace: consent, codes, and tokens that may expire."""
