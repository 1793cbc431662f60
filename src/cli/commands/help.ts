/** `help [command...]`, of the program and of each of its groups. */
import type { Command } from "commander";
import { usage } from "../failure.ts";

/**
 * Adds it to everything that has commands; after all of those. The library's own takes one name, and shows the help of
 * the group where it does not know it.
 */
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
  const found = group.commands.find((command) => command.name() === name);
  if (found !== undefined) return named(found, rest);
  // Refused as where it is run, with the name that may have been meant.
  if (group.commands.length > 0) group.parse([name], { from: "user" });
  throw usage(`"${group.name()}" has no commands of its own.`);
}
