dataset=None
