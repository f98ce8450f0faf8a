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

/**
 * The row of a statement that selects columns of a table: fields of its Prisma model, so that a renamed column is a
 * type error. `int8` is a number, as `Query` returns it. A `date` or `numeric` column is text in a statement, unlike in
 * Prisma: declare its field beside, as `Row<Model, …> & { day: string }`.
 *
 * @template Field the selected fields; all of the model if left out
 */
export type Row<Model, Field extends keyof Model = keyof Model> = {
  [Name in Field]: Model[Name] extends bigint | null ? Exclude<Model[Name], bigint> | number : Model[Name]
}
