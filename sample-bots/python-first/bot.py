"""The smallest bot that plays: it answers every turn with the first legal action."""

import json
import sys

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        reply = {"type": "ready", "protocol": "1.0", "name": "python-first", "version": "1"}
    elif message["type"] == "turn":
        reply = {"type": "action", "id": message["id"], "action": message["legal"][0]}
    else:
        continue
    print(json.dumps(reply), flush=True)
