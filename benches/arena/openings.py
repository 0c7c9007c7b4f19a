#!/usr/bin/env python3
"""Makes balanced openings for matches: distinct early positions that the engine thinks are about equal.

    pip install cshogi
    benches/arena/openings.py target/release/hien --count 600 --eval FILE > benches/arena/openings.txt

Every line is `startpos moves ...`, as ShogiArena and cshogi's runner read it. An opening is a short game of the
engine against itself in which each move is drawn among those nearly as good as the best; it is kept if a longer
search of its end stays near zero. The same arguments and engine give the same openings again.
"""

import argparse
import random
import subprocess
import sys

import cshogi

LINES = 6  # moves to draw from
MARGIN = 60  # centipawns that a drawn move may be worse than the best
LENGTH = (8, 24)  # plies
DRAW_NODES, JUDGE_NODES = 3_000, 50_000


class Engine:
    """A USI engine behind pipes."""

    def __init__(self, path, eval_file):
        self.process = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.send("usi")
        if eval_file:
            self.send(f"setoption name EvalFile value {eval_file}")

    def send(self, text):
        self.process.stdin.write(text + "\n")
        self.process.stdin.flush()

    def lines_to(self, word):
        for line in self.process.stdout:
            yield line.split()
            if line.startswith(word):
                return
        raise EOFError("the engine ended")

    def search(self, moves, nodes, lines):
        """The best moves with their scores in centipawns, mates as +-30000."""
        self.send(f"setoption name MultiPV value {lines}")
        self.send("isready")
        list(self.lines_to("readyok"))
        self.send("position startpos moves " + " ".join(moves))
        self.send(f"go nodes {nodes}")
        found = {}
        for words in self.lines_to("bestmove"):
            if words[0] == "info" and "pv" in words and "score" in words:
                at = words.index("score")
                value = int(words[at + 2])
                cp = value if words[at + 1] == "cp" else 30_000 if value > 0 else -30_000
                rank = int(words[words.index("multipv") + 1]) if "multipv" in words else 1
                found[rank] = (words[words.index("pv") + 1], cp)
        return list(found.values())


def opening(engine, dice):
    """A random opening; `None` if it is not balanced."""
    moves = []
    for _ in range(dice.randint(*LENGTH)):
        lines = engine.search(moves, DRAW_NODES, LINES)
        best = max(cp for _, cp in lines)
        moves.append(dice.choice([move for move, cp in lines if cp >= best - MARGIN]))
    _, cp = engine.search(moves, JUDGE_NODES, 1)[0]
    return moves if abs(cp) <= 100 else None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("engine")
    parser.add_argument("--count", type=int, default=600)
    parser.add_argument("--eval", help="evaluation file")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    engine, dice, seen = Engine(arguments.engine, arguments.eval), random.Random(arguments.seed), set()
    while len(seen) < arguments.count:
        engine.send("usinewgame")
        moves = opening(engine, dice)
        if moves is None:
            continue
        board = cshogi.Board()
        for move in moves:
            board.push_usi(move)
        position = board.sfen().rsplit(" ", 1)[0]  # without the move number
        if position not in seen:
            seen.add(position)
            print("startpos moves", " ".join(moves), flush=True)
            print(f"\r{len(seen)} of {arguments.count}", end="", file=sys.stderr)
    engine.send("quit")


if __name__ == "__main__":
    main()
