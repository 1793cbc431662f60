import type { FC } from "hono/jsx";

/**
 * A text to copy, such as a secret that no other page shows again. With scripts, it has a button for that. Several on a
 * page need an `id` each.
 */
export const Secret: FC<{ label: string; value: string; id?: string }> = ({ label, value, id = "secret" }) => (
  <div class="secret">
    <label for={id}>{label}</label>
    <div class="row">
      <input id={id} class="mono" type="text" readonly value={value} autocomplete="off" spellcheck={false} />
      <button type="button" data-copy={id} hidden>
        Copy
      </button>
    </div>
    <p class="hint" role="status" data-copied={id}></p>
  </div>
);
