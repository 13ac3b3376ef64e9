Policy=export_bot=None
