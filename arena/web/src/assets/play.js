// The page of a table. The server sends its state as parts of the page; the script lets the person choose a tile and an end,
// and sends commands to the server. It does not know the rules.
"use strict";
(() => {
  const $ = (id) => document.getElementById(id);
  const all = (selector) => [...document.querySelectorAll(selector)];
  const texts = JSON.parse(document.body.dataset.texts);
  let turn = null;
  let shown = {};
  let view = null;
  let tile = null;
  let arm = null;
  let running = null;

  // Commands.
  async function say(what) {
    try {
      const answer = await fetch("say", { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(what) });
      trouble(answer.ok ? "" : await answer.text());
    } catch {
      trouble(texts.gone);
    }
  }
  const trouble = (text) => { $("trouble").textContent = text; $("trouble").hidden = text === ""; };
  const act = (action) => { if (turn !== null) say({ say: "act", turn, action }); };

  function sure(title) {
    const dialog = $("sure");
    $("sure-title").textContent = title;
    dialog.returnValue = "no";
    dialog.showModal();
    return new Promise((resolve) => dialog.addEventListener("close", () => resolve(dialog.returnValue === "yes"), { once: true }));
  }

  async function press(button) {
    const what = { say: button.dataset.say };
    if (["coach", "hints"].includes(what.say)) what.on = "on" in button.dataset;
    if (what.say === "undo" && "ask" in button.dataset &&
      !await sure(texts.undo)) return;
    if (what.say === "resign" && !await sure(texts.resign)) return;
    say(what);
  }

  // The display.
  const events = new EventSource("events");
  events.addEventListener("state", (event) => {
    const state = JSON.parse(event.data);
    trouble("");
    const is_new = state.turn !== turn || state.view !== view;
    ({ turn, view } = state);
    for (const id of ["lobby", "play"]) $(id).hidden = id !== view;
    const focused = document.activeElement?.dataset;
    const key = focused?.act ?? focused?.tile ?? focused?.say;
    for (const [id, html] of Object.entries(state.parts)) {
      if (shown[id] !== html) $(id).innerHTML = html; // built by the server, which escapes texts by others
    }
    shown = state.parts;
    Object.assign(document.body.dataset, { view, turn: turn ?? "" });
    if (is_new) [tile, arm] = [null, null];
    choose(tile, arm);
    if (key && !document.activeElement?.dataset?.act) {
      all("button:not(:disabled)").find((button) => [button.dataset.act, button.dataset.tile, button.dataset.say].includes(key) && !button.hidden)?.focus();
    }
    run();
  });
  events.addEventListener("error", () => {
    if (events.readyState === EventSource.CLOSED) trouble(texts.gone);
  });

  // The chosen tile and end.
  const choices = () => all(".choice").filter((choice) => choice.dataset.tile === tile);
  const arms = () => [...new Set(choices().map((choice) => choice.dataset.arm))];

  function choose(nextTile, nextArm) {
    [tile, arm] = [nextTile, nextArm];
    if (tile !== null && choices().length === 0) [tile, arm] = [null, null];
    if (tile !== null && arm === null && arms().length === 1) [arm] = arms();
    for (const button of all(".hand-tiles button")) button.setAttribute("aria-pressed", button.dataset.tile === tile);
    const seen = new Set();
    for (const spot of all(".spot")) {
      const is_offered = spot.dataset.tile === tile && !seen.has(spot.closest("svg").classList[1] + spot.dataset.arm);
      if (is_offered) seen.add(spot.closest("svg").classList[1] + spot.dataset.arm);
      spot.classList.toggle("offered", is_offered);
      spot.classList.toggle("chosen", is_offered && spot.dataset.arm === arm);
      spot.setAttribute("tabindex", is_offered ? 0 : -1);
    }
    const here = choices().filter((choice) => arm === null || choice.dataset.arm === arm);
    for (const choice of all(".choice")) {
      choice.hidden = !here.includes(choice);
      choice.classList.toggle("primary", here.length === 1 && here[0] === choice);
      choice.querySelector("kbd").hidden = arm === null || here.length < 2;
    }
    const which = document.querySelector(".which");
    if (which) {
      const text = tile === null ? texts.choose : arm === null ? texts.where : here.length > 1 ? texts.how : texts.enter;
      which.textContent = text.replace("{tile}", tile);
    }
  }

  function lay(nextArm) {
    choose(tile, nextArm);
    const here = choices().filter((choice) => choice.dataset.arm === arm);
    if (here.length === 1) act(here[0].dataset.act);
    else here[0]?.focus();
  }

  function other(by) {
    const list = arms();
    if (list.length) choose(tile, list[(list.indexOf(arm) + by + list.length + (arm === null && by < 0 ? 1 : 0)) % list.length]);
  }

  document.addEventListener("click", (event) => {
    const spot = event.target.closest(".spot.offered");
    if (spot) return lay(spot.dataset.arm);
    const button = event.target.closest("button");
    if (!button || button.disabled) return;
    const data = button.dataset;
    if (data.act) act(data.act);
    else if (data.say) press(button);
    else if (data.level) say({ say: "level", level: Number(data.level) });
    else if (data.tile) choose(data.tile === tile ? null : data.tile, null);
    else if (button.id === "theme") theme();
    else if (button.id === "show-help") $("help").showModal();
    else if (button.id === "run") { running = running ? null : true; run(); }
  });

  // Watched bots play on by themselves if the person wants that.
  let timer = null;
  function run() {
    clearTimeout(timer);
    const button = $("run");
    document.body.classList.toggle("running", Boolean(button && running));
    if (!button) { running = null; return; }
    button.setAttribute("aria-pressed", running !== null);
    const step = document.querySelector('[data-say="step"]:not(:disabled)');
    if (running && step) timer = setTimeout(() => press(step), 700);
  }

  function theme() {
    const root = document.documentElement;
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
  }

  const pressFirst = (selector) => { const button = document.querySelector(selector); if (button) button.click(); };
  const keys = {
    d: () => pressFirst('.acts [data-act="draw"]'),
    r: () => pressFirst('.acts [data-act="refuse"]'),
    k: () => pressFirst('[data-say="coach"]'),
    h: () => pressFirst('[data-say="hints"]'),
    u: () => pressFirst('[data-say="undo"]'),
    i: () => byKey("I"),
    o: () => byKey("O"),
    x: () => byKey("X"),
    Escape: () => choose(null, null),
    ArrowLeft: () => other(-1),
    ArrowRight: () => ($("run") ? pressFirst('[data-say="step"]:not(:disabled)') : other(1)),
    "?": () => $("help").showModal(),
  };
  const byKey = (key) => choices().find((choice) => choice.dataset.arm === arm && choice.dataset.key === key)?.click();

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || document.querySelector("dialog[open]")) return;
    const focused = document.activeElement;
    if (event.key === "Enter") {
      if (focused?.classList.contains("spot")) lay(focused.dataset.arm);
      else if (tile !== null && arm !== null && (focused === document.body || focused?.dataset.tile === tile && !focused.dataset.act)) lay(arm);
      else return;
      event.preventDefault();
      return;
    }
    if (event.key === " ") {
      if ($("run") && focused === document.body) { $("run").click(); event.preventDefault(); }
      return;
    }
    if (/^[1-9]$/.test(event.key)) {
      const button = all(".hand-tiles button")[Number(event.key) - 1];
      if (button && !button.disabled) { button.focus(); choose(button.dataset.tile, null); }
      return;
    }
    const press = keys[event.key] ?? keys[event.key.toLowerCase()];
    if (press) { event.preventDefault(); press(); }
  });
})();
