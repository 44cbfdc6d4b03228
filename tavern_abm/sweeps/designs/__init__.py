"""Design files: from what a user writes to points, each checked before anything is played."""
