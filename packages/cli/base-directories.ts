/** Folders for a person's files, by the XDG Base Directory Specification: it ignores variables with a relative path. */
import { homedir } from "node:os";
import path from "node:path";

export const getConfigHome = (env: NodeJS.ProcessEnv): string => getDirectory(env, "XDG_CONFIG_HOME", ".config");

export const getStateHome = (env: NodeJS.ProcessEnv): string => getDirectory(env, "XDG_STATE_HOME", ".local", "state");

function getDirectory(env: NodeJS.ProcessEnv, name: string, ...otherwise: readonly string[]): string {
  const given = env[name] ?? "";
  return path.isAbsolute(given) ? given : path.join(env["HOME"] || homedir(), ...otherwise);
}
