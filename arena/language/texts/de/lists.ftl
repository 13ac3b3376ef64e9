and = { $before } und { $last }
or = { $before } oder { $last }
