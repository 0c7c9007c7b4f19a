#!/usr/bin/env python3
"""Tunes numbers of the search with ShogiArena's SPSA.

    pip install shogiarena
    cargo build --release --features tune
    benches/arena/spsa.py target/release/hien RUN_DIR NAME... --eval FILE --updates 500 --nodes 5000

NAME are names from src/search/params.rs. The same command goes on with what was done in RUN_DIR; the numbers reached so
far stand in RUN_DIR/games/spsa/current.json.
"""

import argparse
import json
import os
import pathlib
import subprocess

PREFIX = "info string shogiarena_tunables_json "


def tunables(engine):
    """What the engine says it can tune, by name."""
    out = subprocess.run([engine], input="usi_tunables\nquit\n", capture_output=True, text=True).stdout
    for line in out.splitlines():
        if line.startswith(PREFIX):
            return {entry["id"]: entry for entry in json.loads(line.removeprefix(PREFIX))["tunables"]}
    raise SystemExit("this build has nothing to tune: use --features tune")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("engine", type=pathlib.Path)
    parser.add_argument("run", type=pathlib.Path)
    parser.add_argument("names", nargs="+")
    parser.add_argument("--eval", type=pathlib.Path, help="evaluation file")
    parser.add_argument("--updates", type=int, default=500)
    parser.add_argument("--nodes", type=int, default=5000)
    arguments = parser.parse_args()
    engine = arguments.engine.resolve()
    known = tunables(engine)
    run = arguments.run.resolve()
    run.mkdir(parents=True, exist_ok=True)

    def write(name, content):
        (run / name).write_text(json.dumps(content, indent=2))  # JSON is YAML

    options = {"Threads": 1, "USI_Hash": 64}
    if arguments.eval:
        options["EvalFile"] = str(arguments.eval.resolve())
    home = run / "engine"  # the tool wants its records outside the engine's working directory
    home.mkdir(exist_ok=True)
    write("engine.yaml", {
        "name": "hien",
        "engine_path": str(engine),
        "working_directory": str(home),
        "options": options,
    })
    write("space.yaml", {
        "schema_version": "shogiarena.spsa.space.v1",
        "target": {"protocol": "usi_options"},
        "parameters": [
            {
                "id": name,
                "target": {"option": entry["option"], "value_encoding": entry["encoding"]},
                "value_type": entry["value_type"],
                "initial": entry["default"],
                "bounds": {"min": entry["min"], "max": entry["max"]},
                "schedule": entry["schedule"],
            }
            for name, entry in ((name, known[name]) for name in arguments.names)
        ],
    })
    write("spsa.yaml", {
        "experiment_name": "spsa",
        "engines": [{"name": "hien", "engine_path": str(run / "engine.yaml")}],
        "spsa": {
            "space": str(run / "space.yaml"),
            "num_updates": arguments.updates,
            "pairs_per_update": 1,
            "num_parallel": 1,
            "algorithm": {"name": "classic", "alpha": 0.602, "gamma": 0.101, "A": {"mode": "ratio", "value": 0.1}},
            "variants": {"integer_rounding": "stochastic", "apply": {"clear_hash": False, "after_setoption": "isready"}},
        },
        "rules": {
            "time_control": {"node_limit": arguments.nodes},
            "initial_positions": {
                "type": "file",
                "source": str(pathlib.Path(__file__).resolve().with_name("openings.txt")),
                "source_format": "usi_line",
                "flip_policy": "pair_both",
            },
        },
        "dashboard": {"enabled": False},
    })
    # The home keeps the settings and caches of the tool out of the way.
    command = ["shogiarena", "run", "spsa", str(run / "spsa.yaml"), "--run-dir", str(run / "games")]
    subprocess.run(command, env={**os.environ, "HOME": str(run)}, check=True)


if __name__ == "__main__":
    main()
