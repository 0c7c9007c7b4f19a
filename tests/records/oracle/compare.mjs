// Reads records that Hien wrote with tsshogi, the library of ShogiHome, and says where the trees differ; then writes
// records itself, from those and from the files of some folders, for Hien to read. See tests/README.md.
//
//     node compare.mjs FROM-HIEN.jsonl FOR-HIEN.jsonl [FOLDER ..]
//
// A line is {"format", "text", "tree"}: the tree as both programs dump it.

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

const WRITE = {
  kif: (record) => ts.exportKIF(record),
  ki2: (record) => ts.exportKI2(record),
  csa: (record) => ts.exportCSA(record, { v3: { milliseconds: true } }),
  jkf: (record) => ts.exportJKFString(record),
  usi: (record) => record.getUSI({ resign: true, allMoves: true }),
};

// Ends as KIF names them.
const ENDS = {
  interrupt: "中断",
  resign: "投了",
  maxMoves: "最大手数",
  impass: "持将棋",
  draw: "引き分け",
  repetitionDraw: "千日手",
  mate: "詰み",
  noMate: "不詰",
  timeout: "切れ負け",
  foulWin: "反則勝ち",
  foulLose: "反則負け",
  enteringOfKing: "入玉勝ち",
  winByDefault: "不戦勝",
  loseByDefault: "不戦敗",
  try: "トライ",
};

// What tsshogi has no type for is an end with a name.
const NAMES = { MATTA: "待った", ERROR: "エラー" };

function step(move) {
  if (move instanceof ts.Move) return move.usi;
  if (move.type === "start") return "";
  if (move.type === "any") return NAMES[move.name] ?? move.name;
  return ENDS[move.type] ?? move.type;
}

/** A record as plain data: all nodes in the order of KIF files. */
function dump(record) {
  const headers = {};
  const { metadata } = record;
  for (const key of metadata.standardMetadataKeys) {
    headers[ts.metadataKeyToKakinoki(key)] = metadata.getStandardMetadata(key);
  }
  for (const key of metadata.customMetadataKeys) headers[key] = metadata.getCustomMetadata(key);
  const nodes = [];
  record.forEach((node) => {
    nodes.push({
      number: node.ply,
      step: step(node.move),
      // Seconds times 1000 are not always whole there.
      time: Math.round(node.elapsedMs),
      // Blank lines are not compared: tsshogi drops some of them.
      comments: node.comment.split("\n").filter((line) => line !== ""),
      bookmark: node.bookmark,
    });
  });
  return { headers, sfen: record.initialPosition.sfen, nodes };
}

/** JSON with the keys in order. */
function sorted(tree) {
  const inOrder = (_, value) =>
    value?.constructor === Object ? Object.fromEntries(Object.entries(value).sort()) : value;
  return JSON.stringify(tree, inOrder);
}

function read(format, text) {
  const record = READ[format](text);
  return record instanceof Error ? record : dump(record);
}

function formatOf(file) {
  const extension = path.extname(file).slice(1).toLowerCase();
  return { kifu: "kif", ki2u: "ki2", sfen: "usi", json: "jkf" }[extension] ?? extension;
}

function decode(bytes) {
  const text = bytes.toString("utf8");
  return (text.includes("\ufffd") ? iconv.decode(bytes, "cp932") : text).replace(/^\ufeff/, "");
}

const [from, to, ...folders] = process.argv.slice(2);
const lines = fs.readFileSync(from, "utf8").trim().split("\n");
const out = fs.openSync(to, "w");
const send = (format, text, tree) => fs.writeSync(out, JSON.stringify({ format, text, tree }) + "\n");
let same = 0;
let different = 0;
let written = 0;
for (const line of lines) {
  const { format, text, tree } = JSON.parse(line);
  const found = read(format, text);
  if (!(found instanceof Error) && sorted(found) === sorted(tree)) {
    same += 1;
  } else {
    different += 1;
    if (different <= 5) {
      console.log(`${format}\n${text}\nHien:    ${sorted(tree)}`);
      console.log(`tsshogi: ${found instanceof Error ? found : sorted(found)}\n`);
    }
  }
  if (found instanceof Error) continue;
  for (const [target, write] of Object.entries(WRITE)) {
    const again = write(READ[format](text));
    const tree = read(target, again);
    if (tree instanceof Error) {
      console.log(`tsshogi does not read its own ${target}: ${tree}`);
      continue;
    }
    send(target, again, tree);
    written += 1;
  }
}
let files = 0;
for (const folder of folders) {
  for (const file of fs.readdirSync(folder).sort()) {
    const format = formatOf(file);
    if (!READ[format]) continue;
    const text = decode(fs.readFileSync(path.join(folder, file)));
    const tree = read(format, text);
    if (tree instanceof Error) {
      console.log(`tsshogi refuses ${file}: ${tree}`);
      continue;
    }
    send(format, text, tree);
    files += 1;
  }
}
console.log(`${same} of ${lines.length} texts of Hien read alike, ${written} texts and ${files} files for Hien`);
process.exitCode = different === 0 ? 0 : 1;
