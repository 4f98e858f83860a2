"""Monte-Carlo tree search: the tree, its policies, heuristics for new nodes, backup, and flat Monte-Carlo."""
