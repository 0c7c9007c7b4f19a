"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const byId = (id) => document.getElementById(id);

  const words = {
    en: {
      black: "Black", white: "White", move: "move", score: "score", loss: "loss", judgement: "", average: "lost a move",
      start: "start position", played: "played", line: "line", mate: "mate in", nodes: "nodes", depth: "depth",
      best: "best", good: "good", inaccuracy: "inaccuracy", mistake: "mistake", blunder: "blunder", over: "mated",
      each: " a position", repetition: "fourth repetition: a draw", perpetual_check: "fourth repetition by perpetual check",
      declaration: "a win can be declared", curve: "Black's winning chances", by: "analysed by",
    },
    ja: {
      black: "先手", white: "後手", move: "指し手", score: "評価値", loss: "損失", judgement: "", average: "一手の平均損失",
      start: "開始局面", played: "指し手", line: "読み筋", mate: "詰み", nodes: "ノード", depth: "深さ",
      best: "最善手", good: "良手", inaccuracy: "緩手", mistake: "疑問手", blunder: "悪手", over: "詰み",
      each: "／局面", repetition: "千日手", perpetual_check: "連続王手の千日手", declaration: "入玉宣言勝ちができます", curve: "先手の勝率", by: "解析",
    },
  };
  // How games end, by the English name.
  const ends = {
    "broken off": "中断", resignation: "投了", "draw by length": "最大手数", "draw by impasse": "持将棋", draw: "引き分け",
    "draw by repetition": "千日手", mate: "詰み", "no mate": "不詰", "loss on time": "時間切れ",
    "win by the opponent's illegal move": "相手の反則", "loss by an illegal move": "反則", "win by declaration": "入玉宣言",
    "win by default": "不戦勝", "loss by default": "不戦敗", "win by try": "トライ",
  };
  const judgements = ["best", "good", "inaccuracy", "mistake", "blunder"];
  const kanji = {
    P: "歩", L: "香", N: "桂", S: "銀", G: "金", B: "角", R: "飛", K: "玉",
    "+P": "と", "+L": "杏", "+N": "圭", "+S": "全", "+B": "馬", "+R": "龍",
  };
  const ranks = "一二三四五六七八九";

  let language = /^ja/.test(navigator.language) ? "ja" : "en";
  // What is shown: the position before move `at`, and how far a line is followed from there.
  let at = 0;
  let followed = null;

  const word = (name) => words[language][name];
  const translated = (text) => (language === "ja" ? ends[text] ?? text : text);
  const texts = (line) => (language === "ja" ? line.japanese : line.western);

  function element(name, attributes = {}, ...children) {
    const isSvg = ["svg", "rect", "line", "text", "path", "circle", "g", "polygon"].includes(name);
    const node = isSvg
      ? document.createElementNS("http://www.w3.org/2000/svg", name)
      : document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) {
      if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
      else node.setAttribute(key, value);
    }
    node.append(...children);
    return node;
  }

  // Positions.

  function parse(sfen) {
    const [rows, side, hands] = sfen.split(" ");
    const board = {};
    rows.split("/").forEach((row, rank) => {
      let file = 9;
      for (const piece of row.match(/\d|\+?[A-Za-z]/g)) {
        if (/\d/.test(piece)) file -= Number(piece);
        else board[`${file--}${"abcdefghi"[rank]}`] = piece;
      }
    });
    const inHand = {};
    for (const [, count, piece] of hands.matchAll(/(\d*)([A-Za-z])/g)) inHand[piece] = Number(count || 1);
    return { board, hands: inHand, side };
  }

  /** The position after a move in USI; the square that was reached is marked. */
  function play(position, usi) {
    const next = { board: { ...position.board }, hands: { ...position.hands }, side: position.side === "b" ? "w" : "b" };
    const own = (letter) => (position.side === "b" ? letter.toUpperCase() : letter.toLowerCase());
    const to = usi.slice(2, 4);
    if (usi[1] === "*") {
      const piece = own(usi[0]);
      next.hands[piece] -= 1;
      next.board[to] = piece;
    } else {
      const from = usi.slice(0, 2);
      const taken = next.board[to];
      if (taken) {
        const piece = own(taken.replace("+", ""));
        next.hands[piece] = (next.hands[piece] || 0) + 1;
      }
      next.board[to] = (usi[4] === "+" ? "+" : "") + next.board[from];
      delete next.board[from];
    }
    return next;
  }

  function drawBoard(position, marked) {
    const cell = 44;
    const left = 50;
    const top = 62;
    const size = 9 * cell;
    const svg = element("svg", { viewBox: `0 0 ${left + size + 34} ${top + size + 66}`, role: "img" });
    svg.append(element("rect", { x: left, y: top, width: size, height: size, fill: "#f3d9a4", stroke: "#553" }));
    for (let i = 1; i < 9; i += 1) {
      svg.append(
        element("line", { x1: left + i * cell, y1: top, x2: left + i * cell, y2: top + size, stroke: "#553" }),
        element("line", { x1: left, y1: top + i * cell, x2: left + size, y2: top + i * cell, stroke: "#553" }),
      );
    }
    for (const x of [3, 6]) for (const y of [3, 6]) svg.append(element("circle", { cx: left + x * cell, cy: top + y * cell, r: 3, fill: "#553" }));
    const place = (square) => [left + (9 - Number(square[0])) * cell, top + "abcdefghi".indexOf(square[1]) * cell];
    if (marked) {
      const [x, y] = place(marked);
      svg.append(element("rect", { x: x + 1, y: y + 1, width: cell - 2, height: cell - 2, fill: "#f6a623", opacity: .55 }));
    }
    for (let i = 0; i < 9; i += 1) {
      svg.append(
        element("text", { x: left + (i + .5) * cell, y: top - 10, "font-size": 13, fill: "currentColor" }, String(9 - i)),
        element("text", { x: left + size + 16, y: top + (i + .5) * cell, "font-size": 13, fill: "currentColor" },
          language === "ja" ? ranks[i] : "abcdefghi"[i]),
      );
    }
    for (const [square, piece] of Object.entries(position.board)) {
      const [x, y] = place(square);
      const isWhite = piece === piece.toLowerCase();
      const cx = x + cell / 2;
      const cy = y + cell / 2;
      const isPromoted = piece.startsWith("+");
      const turn = isWhite ? `rotate(180 ${cx} ${cy})` : "";
      svg.append(element("g", { transform: turn },
        element("polygon", {
          points: `${cx},${cy - 20} ${cx + 13},${cy - 14} ${cx + 17},${cy + 19} ${cx - 17},${cy + 19} ${cx - 13},${cy - 14}`,
          fill: "#fff3d6", stroke: "#875",
        }),
        element("text", { x: cx, y: cy + 2, "font-size": 25, fill: isPromoted ? "#b3261e" : "#111" },
          piece === "k" ? "王" : kanji[piece.toUpperCase()])));
    }
    const hand = (isBlack) => {
      const order = ["R", "B", "G", "S", "N", "L", "P"];
      const parts = order.flatMap((kind) => {
        const count = position.hands[isBlack ? kind : kind.toLowerCase()] || 0;
        return count ? [kanji[kind] + (count > 1 ? count : "")] : [];
      });
      const player = isBlack ? data.game.black : data.game.white;
      const name = `${isBlack ? "☗" : "☖"} ${player || word(isBlack ? "black" : "white")}`;
      const turn = (position.side === "b") === isBlack ? " ●" : "";
      return `${name}${turn}   ${parts.join(" ") || "–"}`;
    };
    const attributes = { "font-size": 18, fill: "currentColor", style: "text-anchor: start" };
    svg.append(
      element("text", { x: 6, y: 20, ...attributes }, hand(false)),
      element("text", { x: 6, y: top + size + 40, ...attributes }, hand(true)),
    );
    byId("board").replaceChildren(svg);
  }

  // Scores and lines.

  function scoreText(line) {
    if (!line) return "";
    if (line.mate === undefined) return (line.cp > 0 ? "+" : "") + line.cp;
    if (line.mate === 0) return word("over");
    return `${line.mate > 0 ? "+" : "−"}${word("mate")} ${Math.abs(line.mate)}`;
  }

  const percent = (share) => `${(100 * share).toFixed(1)}%`;
  const moveText = (move) => (language === "ja" ? move.japanese : move.western);

  function drawCurve() {
    const width = 640;
    const height = 200;
    const count = Math.max(data.positions.length - 1, 1);
    const x = (i) => 34 + (i / count) * (width - 44);
    const y = (chances) => 10 + (1 - chances) * (height - 30);
    const svg = element("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": word("curve") });
    for (const [chances, text] of [[1, "100"], [.5, "50"], [0, "0"]]) {
      svg.append(
        element("line", { x1: x(0), y1: y(chances), x2: x(count), y2: y(chances), stroke: "#8886" }),
        element("text", { x: 28, y: y(chances) + 4, "font-size": 12, "text-anchor": "end", fill: "currentColor" }, text),
      );
    }
    const points = data.positions.map((position, i) => `${x(i).toFixed(1)},${y(position.black_chances).toFixed(1)}`);
    svg.append(
      element("path", { d: `M${x(0)},${y(.5)} L${points.join(" L")} L${x(count)},${y(.5)} Z`, fill: "#5b8def33" }),
      element("path", { d: `M${points.join(" L")}`, fill: "none", stroke: "#2f6fde", "stroke-width": 2 }),
    );
    const colors = { inaccuracy: "#b59b00", mistake: "#e07b00", blunder: "#c62828" };
    for (const move of data.moves) {
      const color = colors[move.judgement];
      const position = data.positions[move.number];
      if (color) svg.append(element("circle", { cx: x(move.number), cy: y(position.black_chances), r: 4, fill: color }));
    }
    svg.append(
      element("line", { id: "cursor", x1: x(at), y1: 10, x2: x(at), y2: height - 20, stroke: "currentColor", "stroke-dasharray": "3 3" }),
      element("text", { x: x(0), y: height - 4, "font-size": 12, fill: "currentColor" }, word("curve")),
    );
    svg.addEventListener("click", (event) => {
      const box = svg.getBoundingClientRect();
      const share = ((event.clientX - box.left) / box.width * width - x(0)) / (x(count) - x(0));
      show(Math.round(share * count));
    });
    byId("curve").replaceChildren(svg);
  }

  function drawLines() {
    const position = data.positions[at];
    const items = position.lines.map((line, number) => {
      const moves = texts(line).flatMap((text, i) => {
        const isHere = followed && followed.line === number && followed.length === i + 1;
        const link = element("a", { onclick: () => { followed = { line: number, length: i + 1 }; draw(); } }, text);
        if (isHere) link.style.fontWeight = "bold";
        return [link, " "];
      });
      const facts = ` ${word("depth")} ${line.depth}/${line.seldepth} `;
      return element("li", {}, element("b", {}, scoreText(line)), element("small", {}, facts), ...moves);
    });
    byId("lines").replaceChildren(...items);
  }

  function drawTable() {
    const head = element("tr", {}, ...["", word("move"), word("score"), word("loss"), word("judgement")].map((text) => element("th", {}, text)));
    const rows = data.moves.map((move) => element("tr", { id: `move${move.number}`, onclick: () => show(move.number) },
      element("td", {}, String(move.number)),
      element("td", {}, `${language === "ja" ? "" : move.is_black ? "☗ " : "☖ "}${moveText(move)}`),
      element("td", {}, scoreText(data.positions[move.number].lines[0])),
      element("td", {}, move.loss >= .005 ? percent(move.loss) : ""),
      element("td", { class: move.judgement }, move.judgement === "good" ? "" : word(move.judgement))));
    byId("moves").replaceChildren(element("thead", {}, head), element("tbody", {}, ...rows));
  }

  function drawTotals() {
    const head = element("tr", {}, element("th"), ...judgements.map((name) => element("th", { class: name }, word(name))), element("th", {}, word("average")));
    const rows = data.players.map((totals, i) => element("tr", {},
      element("th", {}, [data.game.black, data.game.white][i] || word(["black", "white"][i])),
      ...totals.judgements.map((count) => element("td", {}, String(count))),
      element("td", {}, percent(totals.loss / Math.max(totals.moves, 1)))));
    byId("totals").replaceChildren(head, ...rows);
  }

  function draw() {
    let position = parse(data.positions[at].sfen);
    let last = at > 0 ? data.moves[at - 1].usi : null;
    if (followed) {
      const line = data.positions[at].lines[followed.line];
      for (const usi of line.usi.slice(0, followed.length)) {
        position = play(position, usi);
        last = usi;
      }
    }
    drawBoard(position, last && last.slice(2, 4));
    drawLines();
    const move = at > 0 ? data.moves[at - 1] : null;
    byId("place").textContent = move ? `${move.number} / ${data.moves.length}  ${moveText(move)}` : word("start");
    const isBad = move && !["best", "good"].includes(move.judgement);
    byId("verdict").className = move ? move.judgement : "";
    const judgement = move ? word(move.judgement) + (isBad ? ` (−${percent(move.loss)})` : "") : "";
    const end = data.positions[at].end;
    byId("verdict").textContent = [judgement, end && end !== "mate" ? word(end) : ""].filter(Boolean).join(" · ");
    byId("comment").textContent = (move && move.comment) || "";
    byId("sfen").textContent = data.positions[at].sfen;
    const cursor = byId("cursor");
    const count = Math.max(data.positions.length - 1, 1);
    const x = 34 + (at / count) * (640 - 44);
    cursor.setAttribute("x1", x);
    cursor.setAttribute("x2", x);
    document.querySelectorAll("tr.here").forEach((row) => row.classList.remove("here"));
    const row = byId(`move${at}`);
    if (row) {
      row.classList.add("here");
      const box = byId("scroll");
      box.scrollTop = row.offsetTop - box.clientHeight / 2;
    }
  }

  /** Shows the position after a number of moves. */
  function show(number) {
    at = Math.min(Math.max(number, 0), data.positions.length - 1);
    followed = null;
    draw();
  }

  function setLanguage(name) {
    language = name;
    document.documentElement.lang = name;
    byId("english").setAttribute("aria-pressed", String(name === "en"));
    byId("japanese").setAttribute("aria-pressed", String(name === "ja"));
    const { black, white, event, date, end } = data.game;
    byId("title").textContent = `☗ ${black || word("black")}  –  ☖ ${white || word("white")}`;
    const effort = data.limits.replace(/nodes|depth/, word) + word("each");
    byId("facts").textContent = [event, date, translated(end), `${word("by")}: ${data.engine}, ${effort}`].filter(Boolean).join(" · ");
    drawCurve();
    drawTotals();
    drawTable();
    draw();
  }

  byId("english").addEventListener("click", () => setLanguage("en"));
  byId("japanese").addEventListener("click", () => setLanguage("ja"));
  byId("first").addEventListener("click", () => show(0));
  byId("back").addEventListener("click", () => show(at - 1));
  byId("next").addEventListener("click", () => show(at + 1));
  byId("last").addEventListener("click", () => show(data.positions.length - 1));
  document.addEventListener("keydown", (event) => {
    const steps = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: data.positions.length - 1 };
    if (event.key in steps) {
      show(steps[event.key]);
      event.preventDefault();
    }
  });
  // A link may name a move: page.html#12.
  at = Math.min(Number(location.hash.slice(1)) || 0, data.positions.length - 1);
  setLanguage(new URLSearchParams(location.search).get("lang") || language);
})();
