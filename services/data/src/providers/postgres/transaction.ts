/**
 * Returns the statements that begin the transaction of a crawl: one snapshot, in which nothing can be written.
 *
 * All settings are local to the transaction: behind a connection pooler the next client would inherit session settings,
 * such as `default_transaction_read_only`. The query of the user cannot leave the transaction, because it is read
 * through a cursor and sent as a single statement. The formats make values independent of the settings of server and
 * role.
 */
export const beginTransactionSql = (timeoutSeconds: number): string =>
  [
    'BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY',
    `SET LOCAL statement_timeout = ${timeoutSeconds * 1_000}`,
    'SET LOCAL lock_timeout = 10000',
    // The transaction is idle while a page is stored, which may have to wait; 10 minutes end one whose client is lost.
    'SET LOCAL idle_in_transaction_session_timeout = 600000',
    // All rows are read, so the planner must optimize for the last one, not for the first.
    'SET LOCAL cursor_tuple_fraction = 1',
    "SET LOCAL timezone = 'UTC'",
    "SET LOCAL datestyle = 'ISO, YMD'",
    "SET LOCAL intervalstyle = 'iso_8601'",
    "SET LOCAL bytea_output = 'hex'",
    'SET LOCAL extra_float_digits = 1',
  ].join('; ')
