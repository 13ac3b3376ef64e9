//! Pages: projections of events and records, as HTML. What a bot, a file or a person wrote is text in them, never markup.
