#!/usr/bin/env python3
"""Plays four short games of two settings of Hien under ShogiArena and checks what it stored; CI runs this.

    benches/arena/check.py target/release/hien

ShogiArena comes from PyPI into a virtual environment of its own, `target/arena`, which later runs use again. All that is
written lies there. The configurations beside this file are checked, too.
"""

import argparse
import json
import os
import pathlib
import shutil
import sqlite3
import subprocess
import sys
import venv

HERE = pathlib.Path(__file__).resolve().parent
FOLDER = HERE.parents[1] / "target" / "arena"
PYTHON = FOLDER / "bin" / "python"
WANTED = HERE / "requirements.txt"
NODES = {"many": 2000, "few": 100}  # a move, by the name of the player
GAMES = 4


def install():
    """Makes the virtual environment unless it has what is wanted."""
    mark = FOLDER / WANTED.name
    if mark.exists() and mark.read_text() == WANTED.read_text():
        return
    if sys.version_info < (3, 11):
        raise SystemExit("ShogiArena needs Python 3.11 or newer")
    venv.create(FOLDER, clear=True, with_pip=True)
    pip = [PYTHON, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--retries", "2", "-r", WANTED]
    if subprocess.run(pip).returncode != 0:
        raise SystemExit("ShogiArena could not be installed: PyPI must be reachable for this check")
    shutil.copy(WANTED, mark)


def arena(*arguments, **environment):
    """Runs ShogiArena at home in the folder of this check."""
    environment = {**os.environ, "HOME": str(FOLDER), **environment}
    command = [FOLDER / "bin" / "shogiarena", "--output-dir", FOLDER / "output", *arguments]
    subprocess.run(command, check=True, env=environment, cwd=HERE.parents[1])


def play(engine):
    """A match of the two settings; the folder in which it is stored."""
    run = FOLDER / "games"
    shutil.rmtree(run, ignore_errors=True)
    players = []
    for name, nodes in NODES.items():
        players += ["--engine", f"name={name}", f"path={engine}", "options.USI_Hash=16", f"options.NodesLimit={nodes}"]
    arena(
        "run", "tournament", HERE / "match.yaml", "--run-dir", run, "--no-resume", *players,
        "--tournament", f"games_per_pair={GAMES}", "--rules", f"time_control.node_limit={max(NODES.values())}",
    )  # fmt: skip
    return run


def check(run):
    """Four games between the two were played to an end, by moves within the limits of each, and all results agree."""
    status = json.loads((run / "completion_status.json").read_text())
    assert (status["completed"], status["error_games"]) == (GAMES, 0), status
    results = json.loads((run / "results" / "tournament_results.json").read_text())
    stats = results["engine_stats"]
    assert stats.keys() == NODES.keys(), stats
    for name in NODES:
        assert sum(stats[name][key] for key in ("wins", "draws", "losses")) == GAMES, stats
    with sqlite3.connect(run / "game.db") as games:
        ends = games.execute("select game_result, num_moves from game").fetchall()
        assert len(ends) == GAMES and all(plies > 20 for _, plies in ends), ends
        assert not any("ERROR" in end or "ILLEGAL" in end or "TIME" in end for end, _ in ends), ends
        most = dict(games.execute(
            "select player_name, max(nodes) from game_move join game on game.id = game_id join player on player.id ="
            " iif(ply % 2 = 0, black_player_id, white_player_id) where move_source = 'search' group by player_name"
        ))  # fmt: skip
    # The search looks at its limit after a node, so it may pass it by a few.
    assert most.keys() == NODES.keys() and all(0 < most[name] <= NODES[name] + 10 for name in NODES), most
    print(f"{GAMES} games under ShogiArena:", *(f"{name} {stats[name]}" for name in NODES))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("engine", type=pathlib.Path)
    engine = parser.parse_args().engine.resolve(strict=True)
    install()
    for kind, name in [("tournament", "match"), ("sprt", "sprt"), ("generate", "generate"), ("spsa", "spsa")]:
        arena("run", kind, HERE / f"{name}.yaml", "--validate-only", NEW=str(engine), OLD=str(engine))
    check(play(engine))


if __name__ == "__main__":
    main()
