/**
 * Runs one SQL statement with `$1`-style values and answers its rows. `timestamptz` comes as Date, `int8` as number
 * (bigint beyond 2^53), `jsonb` parsed, `date` and `numeric` as text. An array for a `jsonb` value must be given as
 * JSON text: an array value means a PostgreSQL array.
 */
export type Query = <Row = Record<string, unknown>>(text: string, values?: readonly unknown[]) => Promise<Row[]>
