/** The command `help [command...]` of the program and of each group. */
import type { Command } from "commander";
import { usage } from "../failure.ts";

/** Commander's own `help` takes only one name, and shows the help of the group if it does not know the name. */
export function addHelp(group: Command): void {
  for (const command of group.commands) if (command.commands.length > 0) addHelp(command);
  group
    .helpCommand(false)
    .command("help")
    .description("show help for a command")
    .argument("[command...]", "its name, word by word")
    .action((names: string[]) => named(group, names).outputHelp());
}

function named(group: Command, [name, ...rest]: readonly string[]): Command {
  if (name === undefined) return group;
  const found = group.commands.find((command) => command.name() === name || command.aliases().includes(name));
  if (found !== undefined) return named(found, rest);
  // Parsing an unknown name throws an error that suggests a similar one, unless the group takes it as an argument.
  if (group.commands.length === 0) throw usage(`"${group.name()}" has no commands of its own.`);
  try {
    group.parse([name], { from: "user" });
  } catch (error) {
    if ((error as { code?: unknown }).code === "commander.unknownCommand") throw error;
  }
  throw usage(`"${group.name()}" has no command "${name}".`);
}
