and = { $before } and { $last }
or = { $before } or { $last }
