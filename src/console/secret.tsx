import type { FC } from "hono/jsx";

/** Shows a secret, which no other page will show again. If scripts run, it has a button to copy it. */
export const Secret: FC<{ label: string; value: string }> = ({ label, value }) => (
  <div class="secret">
    <label for="secret">{label}</label>
    <div class="row">
      <input id="secret" class="mono" type="text" readonly value={value} autocomplete="off" spellcheck={false} />
      <button type="button" data-copy="secret" hidden>
        Copy
      </button>
    </div>
    <p class="hint" role="status" data-copied="secret"></p>
  </div>
);
