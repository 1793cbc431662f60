import packageJson from "../../package.json" with { type: "json" };

/** The version of the service, of its API and of the command-line client. It is written in package.json alone. */
export const VERSION = packageJson.version;
