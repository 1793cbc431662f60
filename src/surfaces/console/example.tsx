import type { FC } from "hono/jsx";

/** Code to paste into a terminal or an editor. With scripts, it has a button to copy it. */
export const Example: FC<{ id: string; label: string; code: string }> = ({ id, label, code }) => (
  <div class="example">
    <div class="heading">
      <label for={id}>{label}</label>
      <button type="button" class="quiet" data-copy={id} hidden>
        Copy
      </button>
    </div>
    <textarea id={id} class="mono" readonly rows={code.split("\n").length} autocomplete="off" spellcheck={false}>
      {/* HTML ignores a line break at the start of a textarea, so add one for it to ignore. */}
      {`\n${code}`}
    </textarea>
    <p class="hint" role="status" data-copied={id}></p>
  </div>
);
