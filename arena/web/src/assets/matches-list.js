// Searches and sorts the matches of a published folder, where `pages.js` runs before. The first two cells of a row are made here,
// with names as text; the others come as they are in the list without scripts.
"use strict";
(() => {
  const { bots, matches, texts } = window.leydenMatches;
  const { text, counted } = leydenTexts(texts);
  const form = document.getElementById("find");
  const list = document.getElementById("list");
  const rows = list.querySelector("tbody");
  const pager = list.querySelector(".pager");
  const perPage = Number(list.dataset.perPage);
  const [ID, SEATS, SCORES, WINNER, ACTIONS, UPSET, LONGEST, MARGIN, FAULT, REPLAY, RANK, CELLS] = Array(12).keys();
  const last = (value) => value ?? -Infinity;
  const orders = {
    latest: null,
    schedule: null,
    closest: (a, b) => (a[MARGIN] ?? Infinity) - (b[MARGIN] ?? Infinity),
    upset: (a, b) => last(b[UPSET]) - last(a[UPSET]),
    clearest: (a, b) => last(b[MARGIN]) - last(a[MARGIN]),
    longest: (a, b) => b[ACTIONS] - a[ACTIONS],
    slowest: (a, b) => b[LONGEST] - a[LONGEST],
  };
  const latest = [...matches].reverse();
  let found = latest;
  let page = 0;

  const cell = (row, className) => {
    const made = row.insertCell();
    made.className = className;
    return made;
  };
  const link = (parent, address, text) => {
    const made = document.createElement("a");
    made.href = address;
    made.textContent = text;
    parent.append(made);
    return made;
  };
  const tag = (parent, className, text) => {
    const made = document.createElement("span");
    made.className = className;
    made.textContent = text;
    parent.append(made);
    return made;
  };
  const show = () => {
    const pages = Math.max(1, Math.ceil(found.length / perPage));
    page = Math.min(Math.max(page, 0), pages - 1);
    rows.replaceChildren();
    for (const match of found.slice(page * perPage, (page + 1) * perPage)) {
      const row = rows.insertRow();
      const id = cell(row, "mono");
      if (match[REPLAY]) link(id, match[REPLAY], match[ID].slice(0, 8)); else id.textContent = match[ID].slice(0, 8);
      const seats = cell(row, "seats");
      match[SEATS].forEach((bot, seat) => {
        const made = tag(seats, seat === match[WINNER] ? "seat won" : "seat", "");
        link(made, `bots/${bot}.html`, bots[bot]).className = "bot-link";
        made.append(" ");
        tag(made, "number", match[SCORES][seat]);
      });
      row.insertAdjacentHTML("beforeend", match[CELLS]);
    }
    list.querySelector(".note").textContent = counted("oneMatch", "matches", found.length);
    pager.hidden = pages === 1;
    pager.querySelector("span").textContent = text("page", { page: page + 1, pages });
    pager.querySelectorAll("button").forEach((button) => {
      const isBack = button.value === "first" || button.value === "before";
      button.disabled = isBack ? page === 0 : page === pages - 1;
    });
  };
  const find = () => {
    const query = form.elements.q.value.trim().toLowerCase();
    const only = form.elements.only.value;
    const named = bots.map((name) => name.toLowerCase().includes(query));
    const fits = (match) => only === "all" || (only === "faults" ? match[FAULT] : !match[FAULT] && match[WINNER] === null);
    const all = form.elements.sort.value === "schedule" ? [...matches].sort((a, b) => a[RANK] - b[RANK]) : latest;
    found = all.filter((match) => fits(match)
      && (query === "" || match[ID].startsWith(query) || match[SEATS].some((bot) => named[bot])));
    const order = orders[form.elements.sort.value];
    if (order) found = [...found].sort(order);
    page = 0;
    show();
  };
  form.hidden = false;
  const asked = new URLSearchParams(location.search);
  for (const name of ["q", "only", "sort"]) if (asked.has(name)) form.elements[name].value = asked.get(name);
  form.addEventListener("input", find);
  form.addEventListener("submit", (event) => event.preventDefault());
  pager.addEventListener("click", (event) => {
    const pages = Math.ceil(found.length / perPage);
    const to = { first: 0, before: page - 1, next: page + 1, last: pages - 1 };
    if (event.target.value in to) { page = to[event.target.value]; show(); }
  });
  find();
})();
