/** Replaces better-auth's telemetry in the deployed bundle: it is off (src/auth/accounts.ts). */
export const createTelemetry = async () => ({ publish: async () => undefined });
