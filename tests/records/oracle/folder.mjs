// A folder of games by tsshogi in every format, and whether hien's commands find the same positions in it, see
// tests/README.md.
//
//     node folder.mjs write FOLDER GAMES     makes FOLDER/games and FOLDER/expected.jsonl
//     node folder.mjs compare FOLDER         compares what hien made of them in FOLDER/kif .. usi, analysis and book.db

import fs from "node:fs";
import path from "node:path";
import iconv from "iconv-lite";
import * as ts from "tsshogi";

const READ = {
  kif: ts.importKIF,
  ki2: ts.importKI2,
  csa: ts.importCSA,
  jkf: ts.importJKFString,
  usi: (text) => ts.Record.newByUSI(text.trim()),
};

const CRLF = { returnCode: "\r\n" };

// How a game is written: format, extension, encoding, beginning, options.
const STYLES = [
  ["kif", "kif", "cp932", "# ---- Kifu for Windows V7 ----\r\n", (record) => ts.exportKIF(record, CRLF)],
  ["kif", "kifu", "utf8", "", (record) => ts.exportKIF(record)],
  ["kif", "kifu", "utf8", "\ufeff#KIF version=2.0 encoding=UTF-8\n", (record) => ts.exportKIF(record)],
  ["ki2", "ki2", "cp932", "", (record) => ts.exportKI2(record, CRLF)],
  ["ki2", "ki2u", "utf8", "\ufeff", (record) => ts.exportKI2(record)],
  ["csa", "csa", "cp932", "", (record) => ts.exportCSA(record, CRLF)],
  ["csa", "csa", "utf8", "", (record) => ts.exportCSA(record, { v3: { milliseconds: true } })],
  ["jkf", "jkf", "utf8", "", (record) => ts.exportJKFString(record)],
  ["jkf", "json", "utf8", "", (record) => JSON.stringify(JSON.parse(ts.exportJKFString(record)), null, 2)],
  ["usi", "usi", "utf8", "", (record) => record.getUSI({ resign: true, allMoves: true }) + "\n"],
];

// Even games, handicaps, full hands, one king, an endgame.
const STARTS = [
  ...Array(4).fill(ts.initialPositionTypeToSFEN(ts.InitialPositionType.STANDARD)),
  ...["LANCE", "RIGHT_LANCE", "BISHOP", "ROOK", "ROOK_LANCE", "2PIECES", "4PIECES", "6PIECES", "8PIECES", "10PIECES"].map(
    (name) => ts.initialPositionTypeToSFEN(ts.InitialPositionType[`HANDICAP_${name}`]),
  ),
  "4k4/9/9/9/9/9/9/9/4K4 w 2R2B4G4S4N4L18P 1",
  "8k/9/8P/9/9/9/9/9/9 b 2G2R2BG2s2n2l16p 1",
  "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
];

const ENDS = ["interrupt", "resign", "impass", "repetitionDraw", "mate", "timeout", "foulLose", "enteringOfKing"];
const COMMENTS = ["定跡", "*対局 評価値 -18 読み筋 △３四歩(33)", "まで4手で中断", "1 ７六歩(77)", "変化：2手", "  字下げ"];

/** Random numbers below n that depend on the seed alone (mulberry32). */
function random(seed) {
  let state = seed;
  return (n) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % n;
  };
}

/** A legal move, captures and moves to the last square among the first that are tried. */
function pickMove(record, below) {
  const { position, current } = record;
  const squares = ts.Square.all;
  for (let attempt = 0; attempt < 3000; attempt++) {
    const isSame = current.move instanceof ts.Move && attempt < 100 && below(2) === 0;
    const to = isSame ? current.move.to : squares[below(81)];
    const hand = ts.handPieceTypes.filter((type) => position.hand(position.color).count(type) > 0);
    const isDrop = hand.length > 0 && below(4) === 0;
    const from = isDrop ? hand[below(hand.length)] : squares[below(81)];
    let move = position.createMove(from, to);
    if (!move) continue;
    const promoted = move.withPromote();
    if (below(2) === 0 && position.isValidMove(promoted)) move = promoted;
    if (position.isValidMove(move)) return move;
  }
  return null;
}

function line(record, below, length) {
  for (let n = 0; n < length; n++) {
    const move = pickMove(record, below);
    if (!move || !record.append(move)) return;
    record.current.setElapsedMs(1000 * below(4000));
    if (below(6) === 0) record.current.comment = COMMENTS[below(COMMENTS.length)] + "\n次の行";
    if (below(20) === 0) record.current.bookmark = "しおり";
  }
  if (below(3) > 0) record.append(ENDS[below(ENDS.length)]);
}

function game(seed) {
  const below = random(seed);
  const record = new ts.Record(ts.Position.newBySFEN(STARTS[below(STARTS.length)]));
  const { metadata } = record;
  metadata.setStandardMetadata(ts.RecordMetadataKey.BLACK_NAME, "飛車 一");
  metadata.setStandardMetadata(ts.RecordMetadataKey.WHITE_NAME, "角田：二, 三段");
  metadata.setStandardMetadata(ts.RecordMetadataKey.TOURNAMENT, "第1回　試合");
  line(record, below, 5 + below(90));
  const plies = record.current.ply;
  for (let n = below(5); n > 0; n--) {
    record.goto(below(plies));
    line(record, below, 1 + below(12));
  }
  record.goto(0);
  return record;
}

/** Board, player and hands. */
const place = (position) => position.sfen.split(" ").slice(0, 3).join(" ");

/** All positions in the order of KIF files, and the main line with its moves. */
function positions(record) {
  const nodes = [];
  const main = [];
  record.forEach((node) => {
    if (node.prev && !(node.move instanceof ts.Move)) return;
    let isMain = true;
    for (let up = node; up.prev; up = up.prev) isMain &&= up.isFirstBranch;
    if (isMain && node.prev) {
      record.gotoNode(node.prev);
      main.push([place(record.position), node.move.usi]);
    }
    record.gotoNode(node);
    nodes.push([node.ply, place(record.position), isMain]);
  });
  return { nodes, main };
}

function read(format, text) {
  const record = READ[format](text);
  if (record instanceof Error) throw record;
  return record;
}

function write(folder, count) {
  const games = path.join(folder, "games");
  fs.mkdirSync(games, { recursive: true });
  const expected = [];
  for (let seed = 1; seed <= count; seed++) {
    const [format, extension, encoding, begin, text] = STYLES[seed % STYLES.length];
    const written = begin + text(game(seed));
    const name = `game-${String(seed).padStart(4, "0")}`;
    fs.writeFileSync(path.join(games, `${name}.${extension}`), iconv.encode(written, encoding, { addBOM: false }));
    expected.push(JSON.stringify({ name, format, ...positions(read(format, written.replace(/^\ufeff/, ""))) }));
  }
  fs.writeFileSync(path.join(folder, "expected.jsonl"), expected.join("\n") + "\n");
}

const wrong = [];
const check = (what, ours, theirs) => {
  if (JSON.stringify(ours) !== JSON.stringify(theirs)) wrong.push(what);
};

/** What `hien convert` wrote in a format. */
function compareConverted(folder, extension, format, games) {
  let count = 0;
  for (const { name, nodes } of games) {
    const file = path.join(folder, format, `${name}.${extension}`);
    const found = positions(read(format, fs.readFileSync(file, "utf8"))).nodes;
    const isTree = !["csa", "usi"].includes(format);
    check(file, found, isTree ? nodes : nodes.filter(([, , isMain]) => isMain));
    count += found.length;
  }
  console.log(`convert --to ${format}: ${games.length} games, ${count} positions`);
}

/** The numbers and the record of `hien analyze`. */
function compareAnalysis(folder, games) {
  let count = 0;
  for (const { name, nodes, main } of games) {
    if (main.length === 0) continue;
    const file = path.join(folder, "analysis", `${name}.analysis`);
    const report = JSON.parse(fs.readFileSync(`${file}.json`, "utf8"));
    const found = report.positions.map(({ sfen }) => sfen.split(" ").slice(0, 3).join(" "));
    check(`${file}.json`, found, nodes.filter(([, , isMain]) => isMain).map(([, sfen]) => sfen));
    check(`${file}.kifu`, positions(read("kif", fs.readFileSync(`${file}.kifu`, "utf8"))).nodes, nodes);
    count += found.length;
  }
  console.log(`analyze: ${games.length} games, ${count} positions`);
}

/** The moves of `hien book make` with their counts. Refusals to promote are left out of books. */
function compareBook(folder, games) {
  const expected = new Map();
  for (const [sfen, move] of games.flatMap(({ main }) => main)) {
    const key = `${sfen} ${move}`;
    expected.set(key, (expected.get(key) ?? 0) + 1);
  }
  let sfen = "";
  let moves = 0;
  for (const line of fs.readFileSync(path.join(folder, "book.db"), "utf8").split("\n")) {
    const words = line.trim().split(" ");
    if (words[0] === "sfen") sfen = words.slice(1, 4).join(" ");
    if (words.length < 5 || words[0] === "sfen") continue;
    const key = `${sfen} ${words[0]}`;
    check(`book.db: ${line} in ${sfen}`, Number(words[4]), expected.get(key));
    expected.delete(key);
    moves++;
  }
  let declined = 0;
  for (const key of expected.keys()) {
    const [board, side, hands, move] = key.split(" ");
    const position = ts.Position.newBySFEN(`${board} ${side} ${hands} 1`);
    if (position.isValidMove(position.createMoveByUSI(move).withPromote())) declined++;
    else wrong.push(`book.db: ${key} is missing`);
  }
  console.log(`book make: ${moves} moves, ${declined} refusals to promote left out`);
}

const [mode, folder, count] = process.argv.slice(2);
if (mode === "write") {
  write(folder, Number(count));
} else {
  const lines = fs.readFileSync(path.join(folder, "expected.jsonl"), "utf8").trim().split("\n");
  const games = lines.map((line) => JSON.parse(line));
  for (const [format, extension] of Object.entries({ kif: "kifu", ki2: "ki2u", csa: "csa", jkf: "jkf", usi: "usi" })) {
    compareConverted(folder, extension, format, games);
  }
  compareAnalysis(folder, games);
  compareBook(folder, games);
  console.log(`${wrong.length} differences`);
  wrong.slice(0, 10).forEach((what) => console.log(what));
  process.exitCode = wrong.length > 0 ? 1 : 0;
}
