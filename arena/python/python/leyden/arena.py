Match=Replay=Results=match=program=tournament=None
