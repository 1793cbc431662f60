import type { FC } from "hono/jsx";

/** Lines to paste into a terminal or an editor, with a button that copies them (where scripts run). */
export const Example: FC<{ id: string; label: string; code: string }> = ({ id, label, code }) => (
  <div class="example">
    <div class="heading">
      <label for={id}>{label}</label>
      <button type="button" class="quiet" data-copy={id} hidden>
        Copy
      </button>
    </div>
    <textarea id={id} class="mono" readonly rows={code.split("\n").length} autocomplete="off" spellcheck={false}>
      {/* HTML drops the first line break of a textarea. */}
      {`\n${code}`}
    </textarea>
    <p class="hint" role="status" data-copied={id}></p>
  </div>
);
