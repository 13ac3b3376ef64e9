// Plays a replay: shows one moment of one view at a time. All its data is in the element #facts; texts by others are inserted
// only as text, never as markup.
(() => {
  const facts = JSON.parse(document.getElementById("facts").textContent);
  const $ = (id) => document.getElementById(id);
  const SVG = "http://www.w3.org/2000/svg";
  const { parts, text, counted } = leydenTexts(facts.texts);
  const local = (number) => number.replace(".", facts.texts.point);
  const at = { view: 0, deal: 0, step: 0 };
  let timer = null;

  // Elements.
  const make = (name, properties, ...children) => {
    const element = document.createElement(name);
    Object.assign(element, properties);
    element.append(...children);
    return element;
  };
  const draw = (name, attributes, ...children) => {
    const element = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    element.append(...children);
    return element;
  };
  const mark = (seat) =>
    draw("svg", { class: `mark seat-${seat}`, viewBox: "-52 -52 104 104", "aria-hidden": "true" },
      draw("use", { href: `#mark-${seat}` }));
  const name = (seat) => make("bdi", { className: "name", textContent: facts.names[seat] });

  // The deal and the step that are shown.
  const view = () => facts.views[at.view];
  const deals = () => view().deals;
  const steps = () => deals()[at.deal]?.steps ?? [];
  const step = () => steps()[at.step];
  const lays = (s) => steps()[s].laid > (steps()[s - 1]?.laid ?? 0);
  // The deal is not an action: #r6 is the deal, #r6.t0 its first action.
  const fragment = (deal, step) => (step === 0 ? `#r${deal}` : `#r${deal}.t${step - 1}`);
  const limit = (number, least, most) => Math.max(least, Math.min(number, most));

  function go(deal, step) {
    if (deals().length === 0) return show();
    at.deal = limit(deal, 0, deals().length - 1);
    at.step = limit(step, 0, steps().length - 1);
    show();
    remember();
  }

  function follow(hash) {
    const named = /^#r(\d+)(?:\.t(\d+))?$/.exec(hash);
    if (named) go(Number(named[1]), named[2] === undefined ? 0 : Number(named[2]) + 1);
    return named !== null;
  }

  // Browsers limit how often the address may change: only the last change counts.
  let written = 0;
  let writing = null;
  function remember() {
    clearTimeout(writing);
    const write = () => {
      written = performance.now();
      history.replaceState(null, "", fragment(at.deal, at.step));
    };
    const wait = written + 100 - performance.now();
    if (wait > 0) writing = setTimeout(write, wait);
    else write();
  }

  const on = () => {
    if (at.step + 1 < steps().length) go(at.deal, at.step + 1);
    else if (at.deal + 1 < deals().length) go(at.deal + 1, 0);
    else return false;
    return true;
  };
  const back = () => (at.step > 0 ? go(at.deal, at.step - 1) : at.deal > 0 && go(at.deal - 1, Infinity));

  const moments = () => deals().flatMap((deal, d) => deal.steps.map((step, s) => ({ d, s, step })));

  // Goes to the next of these moments, or to the first after the last one.
  function nextOf(chosen, none) {
    const later = chosen.find(({ d, s }) => d > at.deal || (d === at.deal && s > at.step));
    const next = later ?? chosen[0];
    if (next) go(next.d, next.s);
    else say(none);
  }
  const nextFault = () => nextOf(moments().filter(({ step }) => step.fault), text("noFault"));

  // The chance to win at each moment, where it is known: of the seat whose view it is, or else of the first. A turn matters if it
  // was a blunder, or if the chance changed by this much.
  const SWING = 0.15;
  function odds() {
    let chance;
    return moments().map((moment) => {
      const before = chance;
      chance = moment.step.chance ?? chance;
      const blunder = moment.step.decision?.worth?.blunder;
      const swings = before !== undefined && Math.abs(chance.share - before.share) >= SWING;
      return { ...moment, chance, blunder, matters: blunder !== undefined || swings };
    });
  }
  const nextThatMattered = () => nextOf(odds().filter(({ matters }) => matters), odds().some(({ chance }) => chance !== undefined)
    ? text("nothingMattered") : text("notAnalysed"));

  // The table.
  const tall = matchMedia("(max-width: 640px)");

  function tileOf({ x, y, turns, first, second, by, wild }) {
    const tile = $("a-tile").content.querySelector(".tile").cloneNode(true);
    tile.setAttribute("class", `tile turn-${turns} seat-${by}${wild ? " wild" : ""}`);
    tile.setAttribute("transform", `translate(${x} ${y}) rotate(${turns * 90})`);
    tile.querySelector(".first").setAttribute("href", `#half-${first}`);
    tile.querySelector(".second").setAttribute("href", `#half-${second}`);
    tile.querySelector(".by use").setAttribute("href", `#mark-${by}`);
    return tile;
  }

  function endMark([x, y], { text: label, open }) {
    const inside = label === "★"
      ? draw("use", { href: "#star", transform: "scale(.46)" })
      : draw("text", { y: label.length > 2 ? 11 : 16, class: label.length > 2 ? "long" : "" }, label);
    return draw("g", { class: `mark-of-end${open ? "" : " waiting"}`, transform: `translate(${x} ${y})` },
      draw("circle", { r: 40 }), inside);
  }

  function showTable(now) {
    const svg = $("table");
    const table = facts.tables[at.deal]?.[tall.matches ? "tall" : "wide"];
    svg.classList.toggle("tall", tall.matches);
    svg.replaceChildren();
    const [left, top, width, height] = table?.view ?? [-500, -250, 1000, 500];
    svg.setAttribute("viewBox", `${left} ${top} ${width} ${height}`);
    const laid = table ? table.tiles.slice(0, now?.laid ?? 0) : [];
    if (laid.length === 0) {
      svg.append(draw("text", { class: "empty", x: left + width / 2, y: top + height / 2 }, text("nothingLaid")));
      return;
    }
    // Only a spinner has arms at its long sides.
    const isSpinner = "N" in table.starts || table.tiles.some((tile) => tile.arm === "N");
    if (isSpinner) svg.append(draw("rect", { class: "spinner", x: -120, y: -70, width: 240, height: 140, rx: 34 }));
    const tiles = laid.map(tileOf);
    if (lays(at.step)) tiles.at(-1).classList.add("last");
    svg.append(...tiles);
    for (const [arm, want] of Object.entries(now.wants)) {
      const last = laid.findLast((tile) => tile.arm === arm);
      const spot = last ? last.end : table.starts[arm];
      if (spot) svg.append(endMark(spot, want));
      const text = now.decision?.note?.marks[arm];
      if (spot && text) svg.append(draw("text", { class: "noted", x: spot[0], y: spot[1] + 74 }, text));
    }
  }

  // The hands.
  function handTiles(hand) {
    if (typeof hand === "number") {
      return Array.from({ length: hand }, () => make("li", {}, $("a-back").content.cloneNode(true)));
    }
    return hand.split(" ").filter(Boolean).map((named) => {
      const [low, high] = named.split("-").map(Number);
      const tile = tileOf({ x: 0, y: 0, turns: 0, first: low, second: high, by: 0, wild: false });
      tile.querySelector(".by").remove();
      const label = { class: "one-tile", viewBox: "-52 -102 104 204", role: "img", "aria-label": named };
      return make("li", {}, draw("svg", label, tile));
    });
  }

  function heldBy(hand) {
    const count = typeof hand === "number" ? hand : hand.split(" ").filter(Boolean).length;
    const tiles = counted("oneTile", "tiles", count);
    if (typeof hand === "number") return tiles;
    const pips = hand.split(/[ -]/).reduce((sum, pips) => sum + Number(pips), 0);
    if (count === 0) return text("noTileLeft");
    return counted("withOnePip", "withPips", pips, { tiles });
  }

  function showHands(now) {
    const scores = now?.scores ?? deals()[at.deal]?.scores ?? facts.names.map(() => 0);
    const own = view().seat ?? 0;
    const row = (seat) => {
      const hand = now?.hands[seat] ?? 0;
      const tiles = make("ul", { className: "tiles" }, ...handTiles(hand));
      const held = make("span", { className: "muted small", textContent: heldBy(hand) });
      const score = make("span", { className: "score", textContent: scores[seat], title: text("score") });
      const acts = now?.seat === seat ? " to-act" : "";
      return make("div", { className: `hand seat-${seat}${acts}` }, mark(seat), name(seat), score, held, tiles);
    };
    const others = facts.names.map((_, seat) => seat).filter((seat) => seat !== own);
    // In playing order from the viewer's seat.
    const ordered = [...others.filter((seat) => seat > own), ...others.filter((seat) => seat < own)];
    $("others").replaceChildren(...ordered.map(row));
    $("own").replaceChildren(row(own));
    document.querySelectorAll(".player").forEach((player) => player.remove());
    if (facts.names.length === 2) {
      const player = (seat) => make("div", { className: "player" }, mark(seat), name(seat),
        make("span", { className: "score", textContent: scores[seat] }));
      document.querySelector(".rounds").before(player(0));
      document.querySelector(".rounds").after(player(1));
    }
  }

  // The rounds, the moments of a round, and its bars.
  const titleOf = (deal) => text(deal.redeal ? "roundShortAgain" : "roundShort", { round: deal.round + 1 });

  function showDeals() {
    $("deals").replaceChildren(...deals().map((deal, d) => {
      const button = make("button", { type: "button", onclick: () => go(d, 0) });
      button.append(make("small", { textContent: titleOf(deal) }));
      if (deal.points && facts.names.length < 4) {
        button.append(...deal.points.map((points, seat) =>
          make("span", { className: `points seat-${seat}`, textContent: points })));
      } else {
        button.append(deal.points ? "✓" : "–");
      }
      if (deal.steps.some((step) => step.fault)) {
        button.append(make("span", { className: "flag", textContent: " ⚑", title: text("aFault") }));
      }
      button.title = text(deal.redeal ? "roundAgain" : "round", { round: deal.round + 1, redeal: deal.redeal });
      return make("li", {}, button);
    }));
  }

  // Times differ by orders of magnitude, so bars grow with the square root of the share of the round's longest time.
  const barOf = (us, longest) => (us === undefined ? 5 : limit(100 * Math.sqrt(us / longest), 12, 100));

  function showSteps() {
    $("turns").replaceChildren(...steps().map((step, s) => {
      const button = make("button", { type: "button", onclick: () => go(at.deal, s) });
      const what = make("span", { className: "what" }, lays(s) ? make("b", { textContent: step.short }) : step.short);
      what.append(...step.tags.map((tag) => make("span", { className: tag === "forced" ? "tag" : "tag warn", textContent: text(tag) })));
      if (step.decision?.worth?.blunder) what.append(make("span", { className: "tag bad", textContent: text("blunder"), title: step.decision.worth.blunder }));
      if (step.fault) what.append(make("span", { className: "tag bad", textContent: `⚑ ${text("fault")}` }));
      button.append(
        make("span", { className: "at", textContent: s === 0 ? "" : s }),
        step.seat === undefined ? make("span") : mark(step.seat),
        what,
        make("span", { className: "took", textContent: step.decision?.took ?? "" }));
      return make("li", {}, button);
    }));
    const longest = Math.max(1, ...steps().map((step) => step.decision?.took_us ?? 0));
    $("bars").replaceChildren(...steps().map((step, s) => {
      const seat = step.seat === undefined ? "" : ` seat-${step.seat}${step.seat % 2 ? " odd" : ""}`;
      const bar = make("i", { className: `${seat}${step.fault ? " fault" : ""}`, onclick: () => go(at.deal, s) });
      bar.style.height = `${barOf(step.decision?.took_us, longest)}%`;
      bar.title = step.decision?.took === undefined ? step.short : `${step.short}: ${step.decision.took}`;
      return bar;
    }));
    $("slider").max = Math.max(steps().length - 1, 0);
    showDealFacts();
  }

  function showOdds() {
    const all = odds();
    const own = view().seat ?? 0;
    $("odds").hidden = !all.some(({ chance }) => chance !== undefined);
    if ($("odds").hidden) return;
    const known = all.map((moment) => ({ ...moment, share: moment.chance?.share ?? 0.5 }));
    const x = (index) => (100 * index) / Math.max(known.length - 1, 1);
    const points = known.map(({ share }, index) => `${x(index)},${100 - 100 * share}`).join(" ");
    const line = draw("svg", { viewBox: "0 0 100 100", preserveAspectRatio: "none", class: `seat-${own}`, "aria-hidden": "true" },
      draw("polygon", { points: `0,100 ${points} 100,100` }),
      draw("line", { x1: 0, x2: 100, y1: 50, y2: 50 }),
      draw("polyline", { points }));
    const marks = known.map((moment, index) => ({ ...moment, index })).filter(({ matters }) => matters).map((moment) => {
      const seat = moment.step.seat ?? own;
      const title = moment.blunder === undefined ? text("chanceBecomes", { chance: moment.chance.percent })
        : text("whoBlundered", { name: facts.names[seat], blunder: moment.blunder });
      const mark = make("i", { className: moment.blunder === undefined ? "swing" : `blunder seat-${seat}`, title });
      mark.style.left = `${x(moment.index)}%`;
      mark.style.top = `${100 - 100 * moment.share}%`;
      return mark;
    });
    const now = make("i", { className: "now" });
    const label = make("span", { className: "label" }, name(own), make("b"));
    $("odds").replaceChildren(line, ...marks, now, label);
    $("odds").onclick = (event) => {
      const box = $("odds").getBoundingClientRect();
      const moment = known[Math.round(((event.clientX - box.left) / box.width) * (known.length - 1))];
      if (moment) go(moment.d, moment.s);
    };
  }

  function moveOdds() {
    if ($("odds").hidden) return;
    const all = odds();
    const index = all.findIndex(({ d, s }) => d === at.deal && s === at.step);
    const chance = all[index]?.chance;
    $("odds").querySelector(".now").style.left = `${(100 * index) / Math.max(all.length - 1, 1)}%`;
    const wins = chance === undefined ? "" : ` ${text("winsWith", { chance: chance.percent })}`;
    $("odds").querySelector(".label b").textContent = wins;
    $("odds").setAttribute("aria-label", `${facts.names[view().seat ?? 0]}${wins}`);
  }

  // The numbers in notes, a chart each, over all moments of the match.
  function showCharts() {
    const all = moments();
    const charts = new Map();
    all.forEach(({ step }, index) => {
      for (const [label, value] of Object.entries(step.decision?.note?.numbers ?? {})) {
        const key = `${step.seat} ${label}`;
        if (!charts.has(key)) charts.set(key, { seat: step.seat, label, values: [] });
        charts.get(key).values.push({ index, value });
      }
    });
    $("charts").hidden = charts.size === 0;
    $("charts").replaceChildren(...[...charts.values()].map(({ seat, label, values }) => {
      const numbers = values.map(({ value }) => value);
      const [least, most] = [Math.min(...numbers), Math.max(...numbers)];
      const x = (index) => (100 * index) / Math.max(all.length - 1, 1);
      const y = (value) => (most === least ? 50 : 95 - (90 * (value - least)) / (most - least));
      const points = values.map(({ index, value }) => `${x(index)},${y(value)}`).join(" ");
      const line = draw("svg", { viewBox: "0 0 100 100", preserveAspectRatio: "none", "aria-hidden": "true" }, draw("polyline", { points }));
      const range = make("span", { className: "muted", textContent: `${local(String(least))} … ${local(String(most))}` });
      const title = make("span", { className: "label" }, mark(seat), ` ${label} `, make("b"), " ", range);
      const chart = make("div", { className: `chart seat-${seat}` }, line, make("i", { className: "now" }), title);
      chart.follow = (now) => {
        chart.querySelector(".now").style.left = `${x(now)}%`;
        chart.querySelector("b").textContent = local(String(values.findLast(({ index }) => index <= now)?.value ?? "–"));
      };
      chart.onclick = (event) => {
        const box = event.currentTarget.getBoundingClientRect();
        const moment = all[Math.round(((event.clientX - box.left) / box.width) * (all.length - 1))];
        if (moment) go(moment.d, moment.s);
      };
      return chart;
    }));
  }

  function moveCharts() {
    if ($("charts").hidden) return;
    const now = moments().findIndex(({ d, s }) => d === at.deal && s === at.step);
    for (const chart of $("charts").children) chart.follow(now);
  }

  // What else could have been done, and what it was worth.
  function whatElse({ taken, worth }) {
    const rows = worth.actions.map(({ action, chance, points, best }) => {
      const is = [action === taken && `✓ ${text("isTaken")}`, best && text("isBest")].filter(Boolean).join(", ");
      return make("tr", { className: action === taken ? "taken" : "" }, make("td", { textContent: action }),
        make("td", { textContent: chance }), make("td", { textContent: points }), make("td", { textContent: is }));
    });
    const head = make("tr", {}, ...["", text("winsColumn"), text("pointsColumn"), ""].map((textContent) => make("th", { textContent })));
    const shown = [make("h3", { textContent: text("whatElse") }), make("table", { className: "else" }, head, ...rows)];
    if (worth.lost) shown.push(make("p", { className: worth.blunder ? "alert" : "muted small", textContent: worth.lost }));
    shown.push(make("p", { className: "muted small", textContent: text("byEvaluation") }));
    return shown;
  }

  function showDealFacts() {
    const deal = deals()[at.deal];
    const rows = deal?.boneyard === undefined ? [] : [
      make("dt", { textContent: text("boneyard") }),
      make("dd", { className: "mono", textContent: text("inDrawingOrder", { tiles: deal.boneyard, round: titleOf(deal) }) }),
    ];
    $("deal-facts").replaceChildren(...rows);
  }

  function showLog() {
    const link = (d, s) => make("a", { href: fragment(d, s), textContent: fragment(d, s).slice(1) });
    const all = deals().flatMap((deal, d) => deal.steps.map((step, s) => ({ step, d, s })));
    const faults = all.filter(({ step }) => step.fault).map(({ step, d, s }) =>
      make("li", { className: "alert" }, link(d, s), ` ${step.fault}`));
    const notes = all.filter(({ step }) => step.decision?.note !== undefined).map(({ step, d, s }) =>
      make("li", {}, link(d, s), " ", mark(step.seat), ` ${step.decision.note.line}`));
    const section = (title, items, none) => make("section", {}, make("h3", { textContent: title }),
      items.length ? make("ul", {}, ...items) : make("p", { className: "muted small", textContent: none }));
    const shown = [section(text("faultsAndStrikes"), faults, text("none"))];
    if (view().message !== undefined) shown.push(make("pre", { textContent: view().message }));
    shown.push(section(text("notes"), notes, text("noNotes")));
    const said = view().processes.map((process) => {
      const part = make("section", {}, make("h3", {}, ...parts("standardErrorOf", { name: name(process.seat) })));
      if (process.off_turn) part.append(make("p", { className: "muted small", textContent: process.off_turn }));
      const kept = process.stderr ? make("pre", { textContent: process.stderr })
        : make("p", { className: "muted small", textContent: text("nothingRecorded") });
      part.append(kept);
      return part;
    });
    const nothing = make("p", { className: "muted small", textContent: text("recordedOnlyIf") });
    shown.push(...(said.length ? said : [nothing]));
    $("log").replaceChildren(...shown);
  }

  // Messages and answers. Characters that change the text direction are shown as escapes.
  const visible = (text) => text.replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`);

  function lines(text) {
    const pre = make("pre", {});
    let parsed;
    try { parsed = JSON.parse(text); } catch { pre.textContent = text; return pre; }
    // Short values share a line; lists and objects get their own lines.
    const isLong = (value) => typeof value === "object" && value !== null;
    const entries = Object.entries(parsed);
    entries.forEach(([key, value], index) => {
      const between = isLong(value) || isLong(entries[index - 1]?.[1]) ? ",\n " : ", ";
      pre.append(index ? between : "{", make("span", { className: "key", textContent: JSON.stringify(key) }));
      pre.append(`:${visible(JSON.stringify(value))}`);
    });
    pre.append("}");
    return pre;
  }

  function showTold(now) {
    const shown = [];
    if (now?.fault) {
      shown.push(make("p", { className: "alert", textContent: now.fault }));
      const isLast = at.deal === deals().length - 1 && at.step === steps().length - 1;
      if (isLast && view().message !== undefined) shown.push(make("pre", { textContent: view().message }));
    }
    const decision = now?.decision;
    if (!decision) {
      const forced = now?.tags.includes("forced");
      const why = forced ? "notAsked" : view().seat === null ? "nobodyAsked" : "seatNotAsked";
      shown.push(make("p", { className: "muted", textContent: text(why) }));
    } else {
      const seat = decision.asked;
      const sent = facts.lines[seat][decision.turn - 1];
      const copy = make("button", { type: "button", className: "small", textContent: text("copy") });
      copy.onclick = () => copyText(sent, text("lineCopied"));
      const title = make("h2", {}, ...parts("messageTo", { name: name(seat) }));
      shown.push(make("header", {}, title, make("span", { className: "muted", textContent: text("turn", { turn: decision.turn }) }), copy));
      const legal = make("ul", { className: "legal" }, ...decision.legal.map((action) => {
        const taken = action === decision.taken;
        return make("li", { className: taken ? "taken" : "", textContent: taken ? `✓ ${action}` : action });
      }));
      if (decision.worth) shown.push(...whatElse(decision));
      shown.push(lines(sent));
      shown.push(make("h3", { textContent: text(decision.taken ? "legalActionsMarked" : "legalActions", { number: decision.legal.length }) }), legal);
      const answer = (decision.answered ? "answered" : "noAnswer") + (decision.took === undefined ? "" : "After");
      shown.push(make("h3", { textContent: text(answer, { time: decision.took }) }));
      if (decision.answered) shown.push(lines(decision.answered));
      if (decision.note !== undefined) shown.push(make("h3", { textContent: text("itsNote") }), make("p", { textContent: decision.note.line }));
    }
    const stderr = view().processes.filter((process) => process.stderr);
    if (now?.fault) {
      for (const process of stderr) {
        shown.push(make("h3", {}, ...parts("standardErrorPart", { name: name(process.seat) })), make("pre", { textContent: process.stderr }));
      }
    }
    $("messages").replaceChildren(...shown);
  }

  // Everything about a moment.
  let shown = null;
  function show() {
    const now = step();
    const deal = `${at.view} ${at.deal}`;
    if (shown !== deal) {
      if (shown === null || shown.split(" ")[0] !== String(at.view)) { showDeals(); showLog(); showOdds(); showCharts(); }
      showSteps();
      shown = deal;
    }
    showTable(now);
    showHands(now);
    showTold(now);
    $("sentence").textContent = now ? now.text : view().outcome;
    moveOdds();
    moveCharts();
    $("boneyard").textContent = now ? now.boneyard : "0";
    $("slider").value = at.step;
    $("slider").setAttribute("aria-valuetext", now ? now.text : view().outcome);
    const current = (list, index) => [...list.children].forEach((child, number) => {
      const target = child.firstElementChild ?? child;
      if (number === index) target.setAttribute("aria-current", "true");
      else target.removeAttribute("aria-current");
      child.classList.toggle("current", number === index);
    });
    current($("deals"), at.deal);
    current($("turns"), at.step);
    current($("bars"), at.step);
    const row = $("turns").children[at.step];
    const list = row?.closest(".lists");
    if (list && row.offsetParent) {
      const top = row.offsetTop - list.offsetTop;
      if (top < list.scrollTop || top + row.offsetHeight > list.scrollTop + list.clientHeight) {
        list.scrollTop = top - list.clientHeight / 2;
      }
    }
  }

  const say = (text) => { $("sentence").textContent = text; };

  async function copyText(text, done) {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      const area = make("textarea", { value: text, className: "visually-hidden" });
      document.body.append(area);
      area.select();
      document.execCommand("copy");
      area.remove();
    }
    say(done);
  }
  const copyLink = () => {
    history.replaceState(null, "", fragment(at.deal, at.step));
    return copyText(location.href, text("linkCopied"));
  };

  function play(playing) {
    clearTimeout(timer);
    timer = null;
    const tick = () => {
      timer = null;
      if (on()) timer = setTimeout(tick, 1200 / Number($("speed").value));
      else play(false);
    };
    if (playing) {
      if (at.deal === deals().length - 1 && at.step === steps().length - 1) go(0, 0);
      timer = setTimeout(tick, 300);
    }
    $("play").textContent = timer === null ? `▶ ${text("play")}` : `❚❚ ${text("pause")}`;
  }

  function numbers() {
    const are = document.documentElement.classList.toggle("numbers");
    $("numbers").setAttribute("aria-pressed", String(are));
  }

  function look(number) {
    at.view = number % facts.views.length;
    if ($("view")) $("view").value = at.view;
    go(at.deal, at.step);
  }

  const keys = {
    ArrowRight: on, ArrowDown: on, ArrowLeft: back, ArrowUp: back,
    Home: () => go(0, 0),
    End: () => go(Infinity, Infinity),
    " ": () => play(timer === null),
    "[": () => go(at.step > 0 ? at.deal : at.deal - 1, 0),
    "]": () => at.deal + 1 < deals().length && go(at.deal + 1, 0),
    f: nextFault,
    w: nextThatMattered,
    h: () => look(at.view + 1),
    n: numbers,
    c: copyLink,
    "?": () => $("help").showModal(),
  };

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || $("help").open) return;
    const target = event.target;
    if (target.matches("select, textarea, input:not([type=range])")) return;
    if (event.key === " " && target.closest("button, a, summary")) return;
    const act = keys[event.key];
    if (!act) return;
    event.preventDefault();
    if (event.key !== " " && timer !== null && event.key !== "n" && event.key !== "h") play(false);
    act();
  });
  $("first").onclick = keys.Home;
  $("back").onclick = back;
  $("step").onclick = on;
  $("last").onclick = keys.End;
  $("play").onclick = keys[" "];
  $("numbers").onclick = numbers;
  $("link").onclick = copyLink;
  $("slider").oninput = () => go(at.deal, Number($("slider").value));
  if ($("view")) $("view").onchange = () => look(Number($("view").value));
  $("theme").onclick = () => {
    const isDark = getComputedStyle(document.documentElement).getPropertyValue("color-scheme") === "dark"
      || (!document.documentElement.dataset.theme && matchMedia("(prefers-color-scheme: dark)").matches);
    document.documentElement.dataset.theme = isDark ? "light" : "dark";
  };
  document.querySelectorAll("[data-tab]").forEach((tab) => {
    tab.onclick = () => document.querySelectorAll("[data-tab]").forEach((other) => {
      other.setAttribute("aria-pressed", String(other === tab));
      $(other.dataset.tab).hidden = other !== tab;
    });
  });
  // The changed address: a delayed write may have replaced it by now.
  addEventListener("hashchange", (event) => follow(new URL(event.newURL).hash));
  tall.addEventListener("change", show);
  if (!follow(location.hash)) show();
})();
