/** What `npm run admin -- --help` prints. */
import { PRODUCTION } from "./deployment.ts";
import { parsePort } from "./port.ts";
import { QUOTA_OPTIONS } from "./quotas.ts";

export const FIRST_ADDRESS = `http://127.0.0.1:${parsePort(undefined)}`;

export const USAGE = `Usage: npm run admin -- create-organization "NAME" [--remote] [--token-name "NAME"] [--owner EMAIL [--console URL]] [--shard NAME]
       npm run admin -- create-token ORGANIZATION_ID [--remote] [--token-name "NAME"]
       npm run admin -- backup FOLDER [--remote]
       npm run admin -- archive ORGANIZATION_ID FOLDER [--remote] [--without-secrets]
       npm run admin -- restore FOLDER [--remote] [--shard NAME]
       npm run admin -- remove ORGANIZATION_ID --confirm "NAME" [--archive FOLDER] [--remote]
       npm run admin -- organizations [--remote] [--json]
       npm run admin -- suspend ORGANIZATION_ID --reason "TEXT" [--remote]
       npm run admin -- resume ORGANIZATION_ID [--remote]
       npm run admin -- relist [--remote]
       npm run admin -- move-organization ORGANIZATION_ID --to DB_3 | --cancel [--remote]
       npm run admin -- quotas ORGANIZATION_ID [--remote] [--reset] [--articles N] [--megabytes N] …

  create-organization creates an organization with its first operator token,
  create-token a new token for an organization that has lost all of its tokens.
  The token is printed once.
  backup copies all databases and all files into a folder, archive everything of one organization; the
  service may go on. Started again after an interruption, they go on. restore makes a new, empty
  installation as a backup has it, or adds the organization of an archive to an installation.
  remove deletes everything of an organization.
  organizations lists all of them, with what they use and their deliveries of the day.
  suspend stops an organization: its people, keys and apps are refused, readers no longer find its blogs, and
  what it had planned waits. resume ends that.
  relist makes the directory anew of what the shards have, after DB was restored to an earlier moment.
  move-organization moves an organization to a shard while it works, and waits for the end. The service does the work, so it
  has to run.
  quotas shows and sets what one organization may have in place of the deployment's settings.

  --remote              in a deployment that npm run deploy has made; without it, in the local installation
                        (.edgepress, or the folder that EDGEPRESS_STATE names)
  --env NAME            with --remote: in another deployment than "${PRODUCTION}"
  --owner EMAIL         with create-organization: also an invitation for its first owner,
                        whose link is printed
  --console URL         with --owner: where people reach the service, instead of the deployment's BASE_URL, or
                        the address of the last local start ("${FIRST_ADDRESS}" if there was none)
  --shard NAME          with create-organization, and restore of an archive: the database for the organization, such as
                        DB_2; the emptiest, if none is named
  --without-secrets     with archive: without keys, tokens, signing secrets, passwords, invitations and
                        preview links, which the organization then lacks
  --confirm "NAME"      with remove: the name of the organization
  --archive FOLDER      with remove: only if nothing was written to the organization since this archive
  --token-name "NAME"   what the token is called in lists ("Operator token")
  --json                with organizations: as JSON
  --to NAME             with move-organization: the shard, such as DB_3
  --cancel              with move-organization: it stays where it is, if it has not switched yet
  --reason "TEXT"       with suspend: what people and programs of the organization are told
  --articles N, …       with quotas: the same as ORGANIZATION_ARTICLES, for this organization. The others:
                        ${QUOTA_OPTIONS.slice(1, 6)
                          .map((name) => `--${name}`)
                          .join(", ")},
                        ${QUOTA_OPTIONS.slice(6, 10)
                          .map((name) => `--${name}`)
                          .join(", ")},
                        ${QUOTA_OPTIONS.slice(10, 12)
                          .map((name) => `--${name}`)
                          .join(", ")},
                        ${QUOTA_OPTIONS.slice(12)
                          .map((name) => `--${name}`)
                          .join(", ")}
  --reset               with quotas: the deployment's settings again, but for those given
  --help                show this help`;
