/** The commands `help [command...]` and `completion bash|zsh|fish|powershell`, for all commands that were declared. */
import shells, { ShellCompDirective } from "@bomb.sh/tab";
import tab from "@bomb.sh/tab/commander";
import type { Command } from "commander";
import { usageError } from "../failure.ts";

/** Commander's own `help` takes only one name, and shows the help of the group if it does not know the name. */
export function addHelp(group: Command): void {
  for (const command of group.commands) if (command.commands.length > 0) addHelp(command);
  group
    .helpCommand(false)
    .command("help")
    .description("show help for a command")
    .argument("[command...]", "its name, word by word")
    .action((names: string[]) => findCommand(group, names).outputHelp());
}

function findCommand(group: Command, [name, ...rest]: readonly string[]): Command {
  if (name === undefined) return group;
  const found = group.commands.find((command) => command.name() === name || command.aliases().includes(name));
  if (found !== undefined) return findCommand(found, rest);
  // Parsing an unknown name throws an error that suggests a similar one, unless the group takes it as an argument.
  if (group.commands.length === 0) throw usageError(`"${group.name()}" has no commands of its own.`);
  try {
    group.parse([name], { from: "user" });
  } catch (error) {
    if ((error as { code?: unknown }).code === "commander.unknownCommand") throw error;
  }
  throw usageError(`"${group.name()}" has no command "${name}".`);
}

export function addCompletion(program: Command): void {
  tab(program, { completionCommandName: "completion" });
  offerGlobalOptions();
  offerFiles();
  const name = program.name();
  program.commands
    .find((command) => command.name() === "completion")
    ?.description("print the script for shell completion of commands and options")
    .addHelpText("after", EXAMPLES)
    .action((shell: string) => {
      if (shell === "bash") process.stdout.write(BASH);
      else shells.setup(name, name, shell);
    });
}

/** The library offers global options only before a command. */
function offerGlobalOptions(): void {
  for (const command of shells.commands.values()) {
    for (const [name, option] of shells.options) if (!command.options.has(name)) command.options.set(name, option);
  }
}

/** Offers file names if there is no other completion. The library never does. */
function offerFiles(): void {
  const { ShellCompDirectiveDefault, ShellCompDirectiveNoFileComp } = ShellCompDirective;
  Object.defineProperty(shells, "directive", {
    get: () => (shells.completions.length > 0 ? ShellCompDirectiveNoFileComp : ShellCompDirectiveDefault),
    set() {},
  });
}

/**
 * The library's own script for bash needs the package bash-completion. It also evaluates the line that is being typed:
 * Tab would run the commands in a $(…) there.
 */
const BASH = `# bash completion for edgepress
_edgepress() {
  local line
  COMPREPLY=()
  while IFS= read -r line; do
    [[ $line == :* || -z $line ]] || COMPREPLY+=("\${line%%$'\\t'*}")
  done < <(edgepress complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _edgepress edgepress
`;

const EXAMPLES = `
Examples:
  $ mkdir -p ~/.local/share/bash-completion/completions &&
      edgepress completion bash > ~/.local/share/bash-completion/completions/edgepress
  $ mkdir -p "\${fpath[1]}" && edgepress completion zsh > "\${fpath[1]}/_edgepress"
  $ mkdir -p ~/.config/fish/completions && edgepress completion fish > ~/.config/fish/completions/edgepress.fish
  $ New-Item -ItemType Directory -Force (Split-Path $PROFILE); edgepress completion powershell >> $PROFILE`;
