#!/usr/bin/env bash
# Sequential test of two builds with ShogiArena: is NEW stronger than OLD?
#
#     pip install shogiarena
#     NODES=5000 EVAL=nn.bin benches/arena/sprt.sh OLD NEW RUN_DIR
#
# OLD and NEW are binaries; whatever was played is kept in RUN_DIR, and the same command goes on there. Either NODES a
# move (nothing else on the machine disturbs it) or, without NODES, MS milliseconds a move (100 by default). Games
# come in pairs from openings.txt, each opening with both colours. EVAL names an evaluation file for both; ELO0 and ELO1
# are the hypotheses, GAMES is the greatest number of games, JOBS how many are played at once.
set -euo pipefail

if [ $# -ne 3 ]; then
    sed -n '2,11s/^# \{0,1\}//p' "$0"
    exit 2
fi
old=$(realpath "$1") new=$(realpath "$2")
mkdir -p "$3"
run=$(realpath "$3") openings=$(realpath "$(dirname "$0")/openings.txt")

eval="<internal>"
[ -z "${EVAL:-}" ] || eval=$(realpath "$EVAL")

engine() { # name, binary
    cat > "$run/$1.yaml" << END
name: "$1"
engine_path: "$2"
options:
  Threads: 1
  USI_Hash: 64
  EvalFile: "$eval"
  NetworkDelay: 0
  NetworkDelay2: 0
END
}
engine new "$new"
engine old "$old"

if [ -n "${NODES:-}" ]; then
    control="{ node_limit: $NODES }"
else
    # The margin forgives what a busy host adds; the engine itself keeps to the time.
    control="{ time_ms: 0, byoyomi_ms: ${MS:-100}, expiry_margin_ms: 2000 }"
fi
cat > "$run/match.yaml" << END
experiment_name: "sprt"
engines:
  - { name: "new", engine_path: "new.yaml" }
  - { name: "old", engine_path: "old.yaml" }
tournament:
  scheduler: "round_robin"
  games_per_pair: ${GAMES:-1200}
  num_parallel: ${JOBS:-1}
  seed: 1
sprt:
  tested_engine: "new"
  model: "gsprt-pentanomial-v1"
  elo0: ${ELO0:-0}
  elo1: ${ELO1:-10}
  alpha: 0.05
  beta: 0.05
rules:
  time_control: $control
  initial_positions:
    type: "file"
    source: "$openings"
    source_format: "usi_line"
    selection_policy: "without_replacement"
    sync_scope: "pair"
    flip_policy: "pair_both"
  adjudication: { max_plies: 320, resign_threshold_cp: 3000, resign_move_count: 4 }
  repetition_occurrences_to_draw: 4
dashboard:
  enabled: false
END

export HOME="$run" # keeps the settings and caches of the tool out of the way
shogiarena run sprt "$run/match.yaml" --run-dir "$run/games"
shogiarena results summary "$run/games"
