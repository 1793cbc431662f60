/** Adds `withSession` to a stand-in for the database: a session is the same stand-in. */
export function withSessions(database: { prepare: unknown; batch: unknown }): D1Database {
  const whole: unknown = { ...database, withSession: () => database };
  return whole as D1Database;
}
