/** The version of the interface and of the package. Importing package.json would deploy it with the Worker. */
export const VERSION = "1.0.0";
