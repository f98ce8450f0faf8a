/**
 * Runs one SQL statement with `$1`-style parameters and returns its rows. `timestamptz` is returned as Date, `int8` as
 * number (bigint beyond 2^53), `jsonb` parsed, `date` and `numeric` as text. Pass an array for a `jsonb` parameter as
 * JSON text: a JavaScript array is sent as a PostgreSQL array.
 */
export type Query = <Row = Record<string, unknown>>(text: string, values?: readonly unknown[]) => Promise<Row[]>
