/**
 * The folders for a person's files, by the XDG Base Directory Specification: variables with a relative path are
 * ignored.
 */
import { homedir } from "node:os";
import path from "node:path";

/** Returns `$XDG_CONFIG_HOME`, or `~/.config`. */
export const configHome = (env: NodeJS.ProcessEnv): string => directory(env, "XDG_CONFIG_HOME", ".config");

/** Returns `$XDG_STATE_HOME`, or `~/.local/state`. */
export const stateHome = (env: NodeJS.ProcessEnv): string => directory(env, "XDG_STATE_HOME", ".local", "state");

function directory(env: NodeJS.ProcessEnv, name: string, ...otherwise: readonly string[]): string {
  const given = env[name] ?? "";
  return path.isAbsolute(given) ? given : path.join(env["HOME"] || homedir(), ...otherwise);
}
