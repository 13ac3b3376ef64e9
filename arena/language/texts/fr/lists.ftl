and = { $before } et { $last }
or = { $before } ou { $last }
