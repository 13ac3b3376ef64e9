// The organiser's buttons: sends commands with the token, which stays in this tab.
(() => {
  const $ = (id) => document.getElementById(id);
  let token = sessionStorage.getItem("stage-token");
  let listed = null;
  let last = 0;

  function say(trouble) {
    $("trouble").textContent = trouble;
    $("trouble").hidden = trouble === "";
  }

  // Replaces the buttons, and keeps the focus on the one with the same text.
  function put(html) {
    if ($("desk").innerHTML === html) return;
    const focused = $("desk").contains(document.activeElement) ? document.activeElement.textContent : null;
    $("desk").innerHTML = html;
    if (focused === null) return;
    const same = (button) => button.textContent === focused && !button.disabled;
    [...$("desk").querySelectorAll("button")].find(same)?.focus();
  }

  async function send(command) {
    const number = ++last;
    try {
      const request = { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ token, listed, command }) };
      const answer = await fetch("control", request);
      const text = await answer.text();
      if (answer.ok) sessionStorage.setItem("stage-token", token);
      if (answer.ok && number === last) put(text);
      if (answer.status === 403) token = null;
      if (command.say !== "look" || !answer.ok) say(answer.ok ? "" : text.trim());
    } catch {
      say($("trouble").dataset.noServer);
    }
    $("key").hidden = token !== null;
  }

  $("key").onsubmit = (event) => {
    event.preventDefault();
    token = $("token").value.trim();
    $("token").value = "";
    send({ say: "look" });
  };
  $("desk").onclick = (event) => {
    const button = event.target.closest("button");
    if (button?.dataset.listed) {
      listed = Number(button.dataset.listed);
      send({ say: "look" });
    }
    if (!button?.dataset.command) return;
    const command = JSON.parse(button.dataset.command);
    if (command.say === "reveal") listed = null;
    send(command);
  };
  setInterval(() => token !== null && !document.hidden && send({ say: "look" }), 1500);
  if (token !== null) send({ say: "look" });
})();
