/** Keeps a sign-in for each server in `$XDG_CONFIG_HOME/edgepress/credentials.json`, readable by its owner only. */
import { chmod, mkdir, readFile, rm, stat } from "node:fs/promises";
import path from "node:path";
import writeFileAtomic from "write-file-atomic";
import * as z from "zod";
import { parseJson } from "../../../src/lib/json.ts";
import { getConfigHome } from "../base-directories.ts";
import { CliError, EXIT } from "../failure.ts";
import { withLock } from "./lock.ts";

const signIn = z.object({
  accessToken: z.string(),
  /** Null if the server gave none: the sign-in then ends with the access token. */
  refreshToken: z.string().nullable(),
  /** The end of the access token in ISO 8601; null if the server did not say. */
  expires: z.string().nullable(),
  scopes: z.array(z.string()),
  /** The time of the sign-in in ISO 8601, which renewals keep. */
  since: z.string(),
});

const file = z.object({
  version: z.literal(1),
  /** The server of the most recent sign-in. */
  server: z.string().nullable(),
  /** By the server; those of a profile by its name and the server. */
  signIns: z.record(z.string(), signIn),
  /** The server of each profile, by its name. */
  profiles: z.record(z.string(), z.string()).default({}),
});

export type SignIn = z.infer<typeof signIn>;
type Stored = z.infer<typeof file>;

export type Credentials = ReturnType<typeof openCredentials>;

export type Profile = { readonly name: string; readonly server: string; readonly since: string | null };

/**
 * Returns the store, of the profile that `getProfile` names; only its methods touch files. They throw `CliError` `credentials_unreadable` or
 * `credentials_locked`, and call `warn` if others could read the file or its folder.
 */
export function openCredentials(
  env: NodeJS.ProcessEnv,
  warn: (text: string) => void,
  getProfile: () => string | undefined = () => undefined,
) {
  const folder = path.join(getConfigHome(env), "edgepress");
  const place = { folder, file: path.join(folder, "credentials.json"), warn };
  const locked = async <T>(work: (stored: Stored) => Promise<T>): Promise<T> => {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await restrictMode(place, folder, 0o700);
    return withLock(path.join(folder, "credentials.lock"), async () => work(await read(place)));
  };
  const nameSignIn = (server: string): string => getSignInName(server, getProfile());
  return {
    /** Returns the server of the profile, else that of the most recent sign-in. */
    async findDefaultServer(): Promise<string | null> {
      const { server, profiles } = await read(place);
      const profile = getProfile();
      return profile === undefined ? server : (profiles[profile] ?? null);
    },
    listProfiles: async (): Promise<Profile[]> => toProfiles(await read(place)),
    find: async (server: string): Promise<SignIn | null> => (await read(place)).signIns[nameSignIn(server)] ?? null,
    /**
     * Replaces the sign-in at a server by what `change` returns, or deletes it for null, with its profile. Holds the lock
     * until it is on disk.
     */
    change: (server: string, change: (stored: SignIn | null) => Promise<SignIn | null>): Promise<SignIn | null> =>
      locked(async (stored) => {
        const name = nameSignIn(server);
        const before = stored.signIns[name] ?? null;
        const after = await change(before);
        if (after === before) return after;
        const { [name]: _, ...others } = stored.signIns;
        const { [getProfile() ?? ""]: __, ...profiles } = stored.profiles;
        await write(
          place,
          after === null
            ? { ...stored, profiles, signIns: others }
            : { ...stored, signIns: { ...others, [name]: after } },
        );
        return after;
      }),
    /** Stores a sign-in and makes its server the default, or that of the profile. Returns the one that it replaces. */
    keep: (server: string, signIn: SignIn): Promise<SignIn | null> =>
      locked(async (stored) => {
        const [name, profile] = [nameSignIn(server), getProfile()];
        const chosen = profile === undefined ? { server } : { profiles: { ...stored.profiles, [profile]: server } };
        await write(place, { ...stored, ...chosen, signIns: { ...stored.signIns, [name]: signIn } });
        return stored.signIns[name] ?? null;
      }),
  };
}

const getSignInName = (server: string, profile: string | undefined): string =>
  profile === undefined ? server : `${profile} ${server}`;

const toProfiles = ({ profiles, signIns }: Stored): Profile[] =>
  Object.entries(profiles).map(([name, server]) => {
    return { name, server, since: signIns[getSignInName(server, name)]?.since ?? null };
  });

type Place = { readonly folder: string; readonly file: string; readonly warn: (text: string) => void };

const NOTHING: Stored = { version: 1, server: null, signIns: {}, profiles: {} };

async function read(place: Place): Promise<Stored> {
  await restrictMode(place, place.file, 0o600);
  const text = await readFile(place.file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw unreadableError(place.file, error.message);
  });
  if (text === null) return NOTHING;
  const parsed = file.safeParse(parseJson(text));
  if (!parsed.success) throw unreadableError(place.file, "edgepress login did not write it");
  return parsed.data;
}

async function write(place: Place, stored: Stored): Promise<void> {
  if (stored.server === null && Object.keys(stored.signIns).length === 0) return rm(place.file, { force: true });
  await writeFileAtomic(place.file, `${JSON.stringify(stored, null, 2)}\n`, { mode: 0o600 });
}

/**
 * Sets the mode of a file or folder if other users have access to it, and warns. Throws `credentials_unreadable` if it
 * belongs to another user. Does nothing on Windows.
 */
async function restrictMode({ warn }: Place, target: string, mode: number): Promise<void> {
  if (process.platform === "win32") return;
  const found = await stat(target).catch(() => null);
  if (found === null) return;
  if (found.uid !== process.getuid?.()) throw unreadableError(target, "it belongs to another user");
  if ((found.mode & 0o077) === 0) return;
  await chmod(target, mode);
  const wide = (found.mode & 0o777).toString(8);
  warn(`${target} had mode ${wide}, so others may have read it; it is now ${mode.toString(8)}.`);
}

const unreadableError = (file: string, why: string): CliError =>
  new CliError("credentials_unreadable", `${file} cannot be used: ${why}.`, EXIT.failed, {
    hint: "Fix it, or delete it and sign in again.",
  });
