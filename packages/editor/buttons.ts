/** The buttons of the toolbar, whose second row "More tools" shows, and the toolbar of the table at the cursor. */
import {
  AlignCenter,
  AlignLeft,
  AlignRight,
  BetweenHorizontalEnd,
  BetweenHorizontalStart,
  BetweenVerticalEnd,
  BetweenVerticalStart,
  CircleQuestionMark,
  Columns2,
  Ellipsis,
  FileCode,
  ListTree,
  Maximize,
  Rows2,
  Search,
  Trash2,
} from "lucide-static";
import type { Command } from "prosemirror-state";
import { isInTable } from "prosemirror-tables";
import type { EditorView } from "prosemirror-view";
import type { Action } from "./actions.ts";
import { hasMoreTools, showMoreTools } from "./area.ts";
import { TABLE_COMMANDS } from "./tables.ts";
import { type Button, type Toolbar, makeToolbar } from "./toolbar.ts";

type Doing = {
  readonly actions: readonly Action[];
  /** Null in the source mode. */
  readonly view: () => EditorView | null;
  readonly run: (command: Command) => void;
  readonly find: () => void;
  readonly outline: () => void;
  readonly isOutlined: () => boolean;
  readonly focusMode: () => void;
  readonly help: () => void;
  readonly switchMode: () => void;
};

export function makeButtons({ actions, view, run, ...does }: Doing): Button[] {
  const isRich = () => view() !== null;
  const ofActions = actions.flatMap((action) =>
    action.icon === undefined ? [] : [makeActionButton(action, action.icon, { view, run })],
  );
  const more: Button[] = [
    ...ofActions.filter(({ isMore }) => isMore),
    { name: "Find", icon: Search, keys: "Mod-f", run: does.find, isEnabled: isRich, begins: true, isMore: true },
    { name: "Outline", icon: ListTree, run: does.outline, isEnabled: isRich, isPressed: does.isOutlined, isMore: true },
    {
      name: "Focus mode",
      icon: Maximize,
      keys: "Mod-Shift-f",
      run: does.focusMode,
      isPressed: () => document.documentElement.classList.contains("writing"),
      isMore: true,
    },
    { name: "Keyboard shortcuts", icon: CircleQuestionMark, keys: "Mod-/", run: does.help, isMore: true },
  ];
  return [
    ...ofActions.filter(({ isMore }) => !isMore),
    {
      name: "More tools",
      icon: Ellipsis,
      run: () => showMoreTools(!hasMoreTools()),
      isExpanded: hasMoreTools,
      begins: true,
    },
    {
      name: "Markdown",
      icon: FileCode,
      keys: "Mod-Alt-m",
      run: does.switchMode,
      isPressed: () => !isRich(),
    },
    ...more,
  ];
}

function makeActionButton(
  { name, keys, begins, isMore, run: command, isActive }: Action,
  icon: string,
  { view, run }: Pick<Doing, "view" | "run">,
): Button {
  const ask = (question: (view: EditorView) => boolean) => () => {
    const rich = view();
    return rich !== null && question(rich);
  };
  return {
    name,
    icon,
    keys,
    begins,
    isMore,
    run: () => run(command),
    isEnabled: ask((rich) => command(rich.state, undefined, rich)),
    isPressed: isActive && ask(({ state }) => isActive(state)),
  };
}

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

export function makeTableToolbar(view: () => EditorView | null, controls: string): Toolbar {
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
  const made = makeToolbar("Table", buttons, controls);
  return {
    root: made.root,
    update() {
      const rich = view();
      made.root.hidden = rich === null || !isInTable(rich.state);
      made.update();
    },
  };
}
