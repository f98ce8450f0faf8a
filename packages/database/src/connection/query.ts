/**
 * Runs one SQL statement with `$1`-style parameters and returns its rows, with the field `workspaceId` for the column
 * `workspace_id`. `timestamptz` is returned as Date, `int8` as number (bigint beyond 2^53), `jsonb` parsed, `date` and
 * `numeric` as text. Pass an array for a `jsonb` parameter as JSON text: a JavaScript array is sent as a PostgreSQL
 * array.
 *
 * @param name names the statement, so that PostgreSQL parses and plans it once per connection: for frequent statements.
 *   Their text must be constant, and their result columns listed, so that a migration does not change the result type.
 */
export type Query = <Row = Record<string, unknown>>(
  text: string,
  values?: readonly unknown[],
  name?: string,
) => Promise<Row[]>
