// Takes a token from the address's fragment, which is sent to nobody, removes it from there, and sends the form.
(() => {
  const token = decodeURIComponent(location.hash.slice(1));
  const form = document.getElementById("key");
  if (token === "" || form === null) return;
  history.replaceState(null, "", location.pathname);
  document.getElementById("token").value = token;
  form.submit();
})();
