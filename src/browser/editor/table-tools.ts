/** The toolbar for the table that the cursor is in. */
import {
  AlignCenter,
  AlignLeft,
  AlignRight,
  BetweenHorizontalEnd,
  BetweenHorizontalStart,
  BetweenVerticalEnd,
  BetweenVerticalStart,
  Columns2,
  Rows2,
  Trash2,
} from "lucide-static";
import { isInTable } from "prosemirror-tables";
import type { EditorView } from "prosemirror-view";
import { TABLE_COMMANDS } from "./tables.ts";
import { type Toolbar, toolbar } from "./toolbar.ts";

const ICONS: Record<keyof typeof TABLE_COMMANDS, string> = {
  "Add a row above": BetweenVerticalStart,
  "Add a row below": BetweenVerticalEnd,
  "Delete the row": Rows2,
  "Add a column before": BetweenHorizontalStart,
  "Add a column after": BetweenHorizontalEnd,
  "Delete the column": Columns2,
  "Align left": AlignLeft,
  "Align in the middle": AlignCenter,
  "Align right": AlignRight,
  "Delete the table": Trash2,
};

export function tableTools(view: () => EditorView | null, controls: string): Toolbar {
  const buttons = Object.entries(TABLE_COMMANDS).map(([name, command]) => ({
    name,
    icon: ICONS[name as keyof typeof ICONS],
    run: () => {
      const rich = view();
      rich?.focus();
      if (rich) command(rich.state, rich.dispatch, rich);
    },
    isEnabled: () => {
      const rich = view();
      return rich !== null && isInTable(rich.state) && command(rich.state, undefined, rich);
    },
  }));
  const made = toolbar("Table", buttons, controls);
  return {
    root: made.root,
    update() {
      const rich = view();
      made.root.hidden = rich === null || !isInTable(rich.state);
      made.update();
    },
  };
}
