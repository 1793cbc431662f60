/** The toolbar of the table at the cursor. */
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
  "Insert row above": BetweenVerticalStart,
  "Insert row below": BetweenVerticalEnd,
  "Delete row": Rows2,
  "Insert column before": BetweenHorizontalStart,
  "Insert column after": BetweenHorizontalEnd,
  "Delete column": Columns2,
  "Align left": AlignLeft,
  "Align center": AlignCenter,
  "Align right": AlignRight,
  "Delete table": Trash2,
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
