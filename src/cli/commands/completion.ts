/** `completion bash|zsh|fish`: what the shell asks is answered by the commands as they are declared. */
import shells, { ShellCompDirective } from "@bomb.sh/tab";
import tab from "@bomb.sh/tab/commander";
import type { Command } from "commander";

/** Has to come last: it reads all other commands. */
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

/** They may stand after a command too; the library knows them at the start only. */
function offerGlobalOptions(): void {
  for (const command of shells.commands.values()) {
    for (const [name, option] of shells.options) if (!command.options.has(name)) command.options.set(name, option);
  }
}

/** Where nothing else fits. The library would rule files out in every answer, although `import` takes one. */
function offerFiles(): void {
  const { ShellCompDirectiveDefault, ShellCompDirectiveNoFileComp } = ShellCompDirective;
  Object.defineProperty(shells, "directive", {
    get: () => (shells.completions.length > 0 ? ShellCompDirectiveNoFileComp : ShellCompDirectiveDefault),
    set() {},
  });
}

/**
 * The library's own script wants the package bash-completion, and evaluates the line that is being written:
 * Tab would run the contents of $(…) there.
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
