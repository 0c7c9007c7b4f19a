// What tsshogi, the library of ShogiHome, reads in records that Hien wrote, in what tsshogi writes of those in every
// format, and in the files of some folders. Hien compares, see tests/README.md.
//
//     node tsshogi.mjs FROM-HIEN.jsonl FOR-HIEN.jsonl [FOLDER ..]
//
// A line is {"from", "format", "text", "tree"}: who wrote the text, or the file's name, and the tree that tsshogi reads
// in it, or its error.

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

function read(format, text) {
  const record = READ[format](text);
  return record instanceof Error ? { error: String(record) } : dump(record);
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
const out = fs.openSync(to, "w");
const send = (line) => fs.writeSync(out, JSON.stringify(line) + "\n");
for (const line of fs.readFileSync(from, "utf8").trim().split("\n")) {
  const { format, text, tree: written } = JSON.parse(line);
  const tree = read(format, text);
  send({ from: "Hien", format, text, tree, written });
  if (tree.error) continue;
  for (const [target, write] of Object.entries(WRITE)) {
    const again = write(READ[format](text));
    send({ from: "tsshogi", format: target, text: again, tree: read(target, again) });
  }
}
for (const folder of folders) {
  for (const file of fs.readdirSync(folder).sort()) {
    const format = formatOf(file);
    if (!READ[format]) continue;
    const text = decode(fs.readFileSync(path.join(folder, file)));
    send({ from: file, format, text, tree: read(format, text) });
  }
}
