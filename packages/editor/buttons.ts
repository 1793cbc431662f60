/** The buttons of the toolbar. The second row is shown by "More tools". */
import { CircleQuestionMark, Ellipsis, FileCode, ListTree, Maximize, Search } from "lucide-static";
import type { Command } from "prosemirror-state";
import type { EditorView } from "prosemirror-view";
import type { Action } from "./actions.ts";
import { hasMoreTools, showMoreTools } from "./area.ts";
import type { Button } from "./toolbar.ts";

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

export function buttonsOf({ actions, view, run, ...does }: Doing): Button[] {
  const isRich = () => view() !== null;
  const ofActions = actions.flatMap((action) =>
    action.icon === undefined ? [] : [buttonOf(action, action.icon, { view, run })],
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

function buttonOf(
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
