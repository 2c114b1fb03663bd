// Nothing: only the way through this folder matters.
