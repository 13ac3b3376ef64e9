// The dynamic parts of the pages: light and dark, live updates, and the names in a large map. Nothing else needs a script.
// Names and texts are inserted only as text; markup comes only from the server.
(() => {
  const root = document.documentElement;
  const body = document.body;
  const texts = JSON.parse(body.dataset.texts ?? "{}");
  const { text, counted } = leydenTexts(texts);

  // Light or dark: the system's setting until the user chooses.
  const button = document.querySelector("button.theme");
  const stored = () => { try { return localStorage.getItem("leyden-theme"); } catch { return null; } };
  if (stored() === "light" || stored() === "dark") root.dataset.theme = stored();
  if (button) {
    button.hidden = false;
    button.addEventListener("click", () => {
      const isDark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
      root.dataset.theme = isDark ? "light" : "dark";
      try { localStorage.setItem("leyden-theme", root.dataset.theme); } catch { /* then it lasts only as long as the page */ }
    });
  }

  // Names the two bots under the pointer, in a map without numbers.
  const watchTexture = () => {
    const frame = document.querySelector(".texture-frame");
    const caption = document.getElementById("pointed");
    if (!frame || !caption) return;
    const names = JSON.parse(frame.dataset.names);
    frame.addEventListener("pointermove", (event) => {
      const box = frame.querySelector("svg").getBoundingClientRect();
      const index = (at, from, size) => Math.floor((at - from) / size * names.length);
      const row = names[index(event.clientY, box.top, box.height)];
      const column = names[index(event.clientX, box.left, box.width)];
      caption.textContent = row && column ? text("against", { row, column }) : "\u00a0";
    });
  };
  watchTexture();

  // A projector has no controls, so a field that does not fit is shown in parts, one after the other.
  const PART_SECONDS = 12;
  let shownPart = 0;
  const showPart = () => {
    const parts = [...document.querySelectorAll("tbody.part")];
    parts.forEach((part, index) => { part.hidden = index !== shownPart % parts.length; });
  };
  if (document.querySelector("tbody.part[hidden]")) {
    setInterval(() => { shownPart += 1; showPart(); }, PART_SECONDS * 1000);
  }

  if (!body.dataset.events || !window.EventSource) return;

  // Live updates: parts of the page are replaced from a newer copy whenever the server announces one.
  const PARTS = ["state", "progress", "gate", "stages", "standings", "left-out", "look", "finished", "map", "leader", "against", "margins", "thinking",
    "form", "faults", "list"];
  let updated = Date.now();
  let asking = false;
  let again = false;
  let isOver = false;
  let isUnreadable = false;
  const takeNow = async () => {
    const answer = await fetch(location.href, { cache: "no-store" });
    if (!answer.ok) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    // The part after which each one belongs, recorded before any is moved.
    const before = new Map(PARTS.map((name) => [name, page.getElementById(name)?.previousElementSibling?.id]));
    for (const name of PARTS) {
      const [old, now] = [document.getElementById(name), page.getElementById(name)];
      // What a reader has opened or closed stays so.
      for (const each of now?.querySelectorAll("details[id]") ?? []) each.open = document.getElementById(each.id)?.open ?? each.open;
      if (old && now && old.outerHTML !== now.outerHTML) {
        const scrolled = [...old.querySelectorAll(".scroll")].map((each) => each.scrollLeft);
        old.replaceWith(now);
        now.querySelectorAll(".scroll").forEach((each, at) => { each.scrollLeft = scrolled[at] ?? 0; });
      } else if (old && !now) {
        old.remove();
      } else if (!old && now && before.get(name)) {
        document.getElementById(before.get(name))?.after(now);
      }
    }
    showPart();
    // The tables keep their drawings until all matches are played.
    if (!page.getElementById("now")) document.getElementById("now")?.remove();
    updated = Date.now();
  };
  // One request at a time, so that an older copy never arrives last.
  let taken = Promise.resolve();
  const take = () => (taken = taken.catch(() => {}).then(takeNow));
  const refresh = async () => {
    if (isOver) return;
    if (asking) { again = true; return; }
    asking = true;
    try { await take(); } catch { /* the server is gone, or will report it */ }
    age();
    setTimeout(() => {
      asking = false;
      if (again) { again = false; refresh(); }
    }, 1500);
  };
  const events = new EventSource(body.dataset.events);
  const say = (words, isOn) => {
    const state = document.getElementById("state");
    const line = state?.querySelector(".live-text");
    if (!line) return;
    state.classList.toggle("on", isOn);
    line.textContent = words;
  };
  const age = () => {
    if (isOver) return;
    const seconds = Math.round((Date.now() - updated) / 1000);
    if (isUnreadable) say(texts.unreadable, false);
    else if (events.readyState === EventSource.OPEN) say(text("updated", { seconds }), true);
    else say(texts.noConnection, false);
  };
  setInterval(age, 1000);
  // Catches up on what happened before the first event, or without a connection.
  events.addEventListener("open", () => { age(); refresh(); });
  events.addEventListener("progress", () => { isUnreadable = false; refresh(); });
  events.addEventListener("unreadable", () => { isUnreadable = true; age(); });
  events.addEventListener("over", async () => {
    isOver = true;
    // The server waits for its listeners, so close the connection once the last page has arrived.
    try { await take(); } catch { say(texts.over, false); }
    events.close();
  });

  // The tables.
  const room = document.querySelector(".tables");
  if (!room) return;
  const most = Number(room.dataset.tables);
  const SVG = "http://www.w3.org/2000/svg";
  const make = (name, className, parent) => {
    const made = document.createElement(name);
    if (className) made.className = className;
    parent.append(made);
    return made;
  };
  const seatMark = (seat) => {
    const mark = document.createElementNS(SVG, "svg");
    mark.setAttribute("class", `mark seat-${seat}`);
    mark.setAttribute("viewBox", "-52 -52 104 104");
    mark.setAttribute("aria-hidden", "true");
    const use = document.createElementNS(SVG, "use");
    use.setAttribute("href", `#mark-${seat}`);
    mark.append(use);
    return mark;
  };
  const tables = new Map();
  const tableOf = (number) => {
    if (tables.has(number)) return tables.get(number);
    room.querySelector(".waiting")?.remove();
    const element = make("article", "table", room);
    const felt = document.createElementNS(SVG, "svg");
    felt.setAttribute("class", "felt");
    felt.setAttribute("role", "img");
    element.append(felt);
    const table = { element, felt, list: make("ul", "", element), said: make("p", "said", element), seats: [], names: [] };
    tables.set(number, table);
    return table;
  };
  const seated = (table, names) => {
    table.names = names;
    table.list.replaceChildren();
    table.seats = names.map((name, seat) => {
      const line = make("li", "", table.list);
      line.append(seatMark(seat));
      make("span", "name", line).textContent = name;
      return { line, held: make("span", "held", line), score: make("b", "", line) };
    });
    table.felt.setAttribute("aria-label", names.join(" – "));
  };
  const show = (table, state) => {
    state.scores?.forEach((score, seat) => { table.seats[seat].score.textContent = score; });
    state.held?.forEach((count, seat) => { table.seats[seat].held.textContent = counted("oneTile", "tiles", count); });
    table.seats.forEach((seat, index) => seat.line.classList.toggle("to-act", index === state.to_act));
    if (state.view) table.felt.setAttribute("viewBox", state.view.join(" "));
    if (state.tiles) table.felt.innerHTML = state.tiles.join("");
    if (state.tile) {
      table.felt.querySelector(".last")?.classList.remove("last");
      table.felt.insertAdjacentHTML("beforeend", state.tile);
      table.felt.lastElementChild?.classList.add("last");
    }
    if (state.said) table.said.textContent = state.said[root.lang];
  };
  events.addEventListener("table", (event) => {
    const state = JSON.parse(event.data);
    if (state.table >= most) return;
    const table = tableOf(state.table);
    seated(table, state.bots);
    show(table, state);
  });
  events.addEventListener("move", (event) => {
    const { table: number, drawn, happened } = JSON.parse(event.data);
    if (number >= most || !tables.has(number)) return;
    const table = tables.get(number);
    if (happened.type === "started") seated(table, happened.bots);
    if (drawn) show(table, drawn);
  });
})();
