/** Replaces better-auth's telemetry in the deployed bundle: it is off (src/surfaces/auth/accounts.ts). */
export const createTelemetry = async () => ({ publish: async () => undefined });
