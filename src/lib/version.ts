import packageJson from "../../package.json" with { type: "json" };

/** The version of the service, its API and the command-line client. Only package.json has it. */
export const VERSION = packageJson.version;
