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
