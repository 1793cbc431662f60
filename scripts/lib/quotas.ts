/** `admin quotas`: what one organization may have in place of the quotas of the deployment. */
import { parseQuota, QUOTA_NAMES, QUOTAS, type Quota } from "../../src/domain/quotas.ts";
import { wordNumbers } from "../../src/domain/settings.ts";
import { Failure } from "./failure.ts";

type Name = keyof Quota;

/** Each quota, by its option: the name of its setting, such as `events-per-day`. */
const NAMES: ReadonlyMap<string, Name> = new Map(
  QUOTA_NAMES.map((name) => [
    QUOTAS[name].setting.replace("ORGANIZATION_", "").replaceAll("_", "-").toLowerCase(),
    name,
  ]),
);

export const QUOTA_OPTIONS = [...NAMES.keys()];

/** Returns the quotas that options say. Throws a `Failure` for a number that the setting could not have either. */
export function parseQuotaOptions(options: Readonly<Record<string, unknown>>): Partial<Quota> {
  const given = [...NAMES].flatMap(([option, name]) => {
    const text = options[option];
    if (typeof text !== "string") return [];
    const quota = parseQuota(name, text);
    if (quota === null)
      throw new Failure(`--${option} has to be ${wordNumbers(QUOTAS[name].setting)}, and is not ${text}.`, 2);
    return [[name, quota]];
  });
  return Object.fromEntries(given) as Partial<Quota>;
}

/** Returns a line for each quota: its option, and the organization's own one in the unit of the option. */
export function describeQuotas(own: Partial<Quota>): string[] {
  return [...NAMES].map(([option, name]) => {
    const quota = own[name];
    const shown = quota === undefined ? "as the deployment" : String(quota / (QUOTAS[name].bytes ?? 1));
    return `${option.padEnd(30)}${shown}`;
  });
}
