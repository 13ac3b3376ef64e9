// Shows what the server says is on the stage. It sends nothing of what is not revealed.
(() => {
  const stage = document.querySelector(".on-stage");
  const ids = ["caption", "seats", "table", "sentence", "odds", "screen"];
  const shown = new Map();

  function show({ kind, parts }) {
    stage.dataset.kind = kind;
    const given = new Map(parts);
    for (const id of ids) {
      const html = given.get(id) ?? "";
      if (shown.get(id) === html) continue;
      shown.set(id, html);
      document.getElementById(id).innerHTML = html;
    }
  }

  function listen() {
    const events = new EventSource(stage.dataset.events);
    events.addEventListener("stage", (event) => show(JSON.parse(event.data)));
    events.onerror = () => {
      // A refused connection is not tried again by the browser.
      if (events.readyState === EventSource.CLOSED) setTimeout(listen, 2000);
    };
  }
  listen();
})();
