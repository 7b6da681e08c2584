"""What editing does to a tree, as pure functions on `OutlineTree`: shape, fields, keys, places, and the way back."""
