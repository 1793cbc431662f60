// Enhancements only: every page works without them.
for (const button of document.querySelectorAll("[data-copy]")) {
  const field = document.getElementById(button.dataset.copy);
  const told = document.querySelector(`[data-copied="${button.dataset.copy}"]`);
  button.hidden = false;
  button.addEventListener("click", async () => {
    field.select();
    await navigator.clipboard.writeText(field.value);
    if (told) told.textContent = "Copied.";
  });
}

// What was done is said once, not again with a bookmark or a reload.
const address = new URL(location.href);
if (address.searchParams.has("done")) {
  address.searchParams.delete("done");
  history.replaceState(null, "", address);
}

// Text that was entered is not lost by a stray click.
for (const form of document.querySelectorAll("form[data-guard]")) {
  let changed = form.dataset.guard === "changed";
  form.addEventListener("input", () => (changed = true));
  form.addEventListener("submit", () => (changed = false));
  addEventListener("beforeunload", (event) => {
    if (changed) event.preventDefault();
  });
}

// What takes its time says so, and is not asked for twice.
for (const button of document.querySelectorAll("[data-busy]")) {
  const told = document.createElement("p");
  told.setAttribute("role", "status");
  button.after(told);
  const show = (busy) => {
    button.disabled = busy;
    told.textContent = busy ? button.dataset.busy : "";
  };
  button.form.addEventListener("submit", () => show(true));
  // Back at a page that the browser has kept.
  addEventListener("pageshow", () => show(false));
}
