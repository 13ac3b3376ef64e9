#!/usr/bin/env python3
"""What a league costs, and how soon its server answers while authors hand in.

    python3 arena/cli/benches/league.py cost LEYDEN [--pairs N] [--repeats N]
    python3 arena/cli/benches/league.py load LEYDEN [--authors N] [--versions N] [--viewers N] [--minutes N]

LEYDEN is the program. Everything happens in a temporary folder and on loopback; a C compiler builds the bots. `cost` plays
as many pairs of eight bots in a league and in a tournament, in turn, and compares the program's own processor time. `load`
serves a league in which authors hand in one version after another while viewers look at its pages.
"""

import argparse
import http.client
import io
import os
import random
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import zipfile
from pathlib import Path

BOT = Path(__file__).resolve().parents[3] / "sample-bots/c-starver"
BUILD = 'build = ["sh", "-c", "mkdir -p build && cc -O2 -o build/bot bot.c"]'
OPTIONS = 'sandbox = "none"\n'
TICKS = os.sysconf("SC_CLK_TCK")


def source(name, version):
    """Returns the files of a bot; each version has a content of its own."""
    code = (BOT / "bot.c").read_text() + f"// {name} {version}\n"
    return {"bot.c": code, "bot.toml": f'name = "{name}"\ncommand = ["build/bot"]\n{BUILD}\n'}


def own_time(command, folder):
    """Runs a program; returns its own seconds of processor time, without those of its children."""
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    reader = threading.Thread(target=process.stderr.read, daemon=True)
    reader.start()
    os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
    fields = Path(f"/proc/{process.pid}/stat").read_text().rsplit(")", 1)[1].split()
    if process.wait() != 0:
        sys.exit(f"{' '.join(map(str, command))} failed")
    return (int(fields[11]) + int(fields[12])) / TICKS


def cost(leyden, pairs, repeats):
    with tempfile.TemporaryDirectory() as folder:
        bots = Path(folder, "bots")
        names = [f"bot{number}" for number in range(8)]
        for name in names:
            (bots / name).mkdir(parents=True)
            for file, content in source(name, 1).items():
                (bots / name / file).write_text(content)
        Path(folder, "options.toml").write_text(OPTIONS)
        common = ["--config", "options.toml", "--jobs", "1"]
        league = [leyden, "league", "bots", "--results", "league.db", *common]
        while subprocess.run(
            [leyden, "league", "versions", "league.db", "--json"], cwd=folder, capture_output=True
        ).stdout.count(b'"there": true') < len(names):
            own_time([*league, "--for", "20s"], folder)

        def tournament(blocks):
            Path(folder, "cup.db").unlink(missing_ok=True)
            return own_time([leyden, "tournament", "bots", "--results", "cup.db", *common, "--blocks", str(blocks)], folder)

        pairings = len(names) * (len(names) - 1) // 2
        blocks = max(2, pairs // pairings)
        ratios = []
        for _ in range(repeats):
            ours = own_time([*league, "--pairs", str(blocks * pairings)], folder) - own_time([*league, "--pairs", "1"], folder)
            theirs = tournament(blocks) - tournament(1)
            each = 1e3 / (blocks * pairings)
            print(f"league {ours * each:.2f} ms a pair, tournament {theirs * each:.2f} ms", flush=True)
            ratios.append(ours / theirs if theirs > 0 else float("nan"))
        print(f"ratio: median {statistics.median(ratios):.2f}, {min(ratios):.2f} to {max(ratios):.2f}")


class Answers:
    """How long answers took, by kind, and which were refusals."""

    def __init__(self):
        self.lock, self.times, self.refused = threading.Lock(), {}, {}

    def note(self, kind, seconds, status):
        with self.lock:
            if status < 400:
                self.times.setdefault(kind, []).append(seconds)
            else:
                self.refused[(kind, status)] = self.refused.get((kind, status), 0) + 1

    def show(self):
        for kind, times in sorted(self.times.items()):
            times.sort()
            late = times[int(len(times) * 0.99)]
            print(f"{kind}: {len(times)} answers, median {1e3 * statistics.median(times):.0f} ms, 99 % within {1e3 * late:.0f} ms, longest {1e3 * times[-1]:.0f} ms")
        for (kind, status), count in sorted(self.refused.items()):
            print(f"{kind}: {count} refused with {status}")


def ask(answers, kind, server, client, method, path, body=None, headers=None):
    """One request from an address of its own, timed from connecting to the last byte."""
    began = time.monotonic()
    connection = http.client.HTTPConnection(*server, timeout=60, source_address=(client, 0))
    try:
        connection.request(method, path, body, {"Connection": "close", **(headers or {})})
        answer = connection.getresponse()
        answer.read()
        answers.note(kind, time.monotonic() - began, answer.status)
    except OSError as error:
        answers.note(f"{kind} ({type(error).__name__})", 0, 999)
    finally:
        connection.close()


def author(answers, server, client, name, token, versions, until):
    authorized = {"Authorization": f"Bearer {token}"}
    pause = max(0.0, until - time.monotonic()) / versions
    time.sleep(random.random() * pause)
    for version in range(versions):
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w") as archive:
            for file, content in source(name, version).items():
                archive.writestr(file, content)
        form = b'--x\r\nContent-Disposition: form-data; name="entry"; filename="bot.zip"\r\n\r\n' + packed.getvalue() + b"\r\n--x--\r\n"
        headers = {**authorized, "Content-Type": "multipart/form-data; boundary=x"}
        ask(answers, "hand in", server, client, "POST", "/hand-in", form, headers)
        ask(answers, "own list", server, client, "GET", "/hand-in", headers=authorized)
        time.sleep(pause)
        if time.monotonic() > until:
            return


def viewer(answers, server, client, until):
    time.sleep(random.random() * 5)
    while time.monotonic() < until:
        ask(answers, "page", server, client, "GET", random.choice(["/", "/matches.html", "/screen.html", "/standings.json"]))
        time.sleep(random.uniform(4, 6))


def load(leyden, authors, versions, viewers, minutes):
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "bots").mkdir()
        Path(folder, "options.toml").write_text(OPTIONS)
        names = [f"author{number}" for number in range(authors)]
        listed = subprocess.run([leyden, "league", "invite", "league.db", *names], cwd=folder, check=True, capture_output=True, text=True)
        tokens = dict(line.split("\t") for line in listed.stdout.splitlines())
        command = [leyden, "league", "bots", "--results", "league.db", "--config", "options.toml", "--serve=0", "--intake"]
        shown = open(Path(folder, "shown"), "w+")
        process = subprocess.Popen(command, cwd=folder, stdout=shown, stderr=subprocess.STDOUT)
        try:
            address = None
            while address is None:
                time.sleep(0.1)
                if process.poll() is not None:
                    sys.exit(Path(folder, "shown").read_text())
                words = Path(folder, "shown").read_text().split()
                address = next((word for word in words if word.startswith("http://")), None)
            host, port = address.removeprefix("http://").split("/")[0].split(":")
            server, answers, until = (host, int(port)), Answers(), time.monotonic() + 60 * minutes
            clients = [
                threading.Thread(target=author, args=(answers, server, f"127.0.1.{1 + number}", name, tokens[name], versions, until))
                for number, name in enumerate(names)
            ] + [threading.Thread(target=viewer, args=(answers, server, f"127.0.2.{1 + number % 250}", until)) for number in range(viewers)]
            for client in clients:
                client.start()
            while time.monotonic() < until:
                time.sleep(min(30, max(0.1, until - time.monotonic())))
                status = Path(f"/proc/{process.pid}/status").read_text()
                memory = {line.split(":")[0]: int(line.split()[1]) // 1024 for line in status.splitlines() if line.startswith(("VmRSS", "RssAnon"))}
                print(f"after {60 * minutes - (until - time.monotonic()):.0f} s: resident {memory['VmRSS']} MB, anonymous {memory['RssAnon']} MB", flush=True)
            for client in clients:
                client.join()
            answers.show()
            if "hand in" not in answers.times:
                sys.exit("no version was handed in")
        finally:
            process.terminate()
            process.wait()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    for name, numbers in {
        "cost": {"pairs": 1120, "repeats": 10},
        "load": {"authors": 50, "versions": 10, "viewers": 200, "minutes": 4.0},
    }.items():
        command = commands.add_parser(name)
        command.add_argument("leyden", type=lambda path: str(Path(path).resolve()))
        for option, usual in numbers.items():
            command.add_argument(f"--{option}", type=type(usual), default=usual)
    given = vars(parser.parse_args())
    {"cost": cost, "load": load}[given.pop("command")](**given)


if __name__ == "__main__":
    main()
