/** What stands in the deployed bundle for better-auth's telemetry, which is off (src/auth/accounts.ts). */
export const createTelemetry = async () => ({ publish: async () => undefined });
