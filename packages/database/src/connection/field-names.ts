import type { ClientBase, QueryArrayResult, QueryConfig, QueryResult } from 'pg'

type Callback<Result> = (error: Error | undefined, result?: Result) => void
type Results = QueryArrayResult | QueryArrayResult[]

/** Returns the name of a column in the code: `workspaceId` for `workspace_id`. */
export const fieldName = (column: string): string =>
  column.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())

/**
 * Makes a connection return rows with field names: the column `workspace_id` as `workspaceId`. The one place where the
 * names of columns become those of the code, so that statements rename nothing. Rows that are asked for as arrays, as
 * Prisma does, and streams of `COPY` stay as they are.
 */
export function returnFieldNames(client: ClientBase): void {
  const send = client.query
  const names = new Map<string, string>()

  function knownName(column: string): string {
    const name = names.get(column) ?? fieldName(column)
    names.set(column, name)
    return name
  }

  function toObjects(result: QueryArrayResult): QueryResult {
    const fields = result.fields.map(({ name }) => knownName(name))
    const rows = result.rows.map((values) => {
      const row: Record<string, unknown> = {}
      fields.forEach((field, index) => {
        row[field] = values[index]
      })
      return row
    })
    return Object.assign(result, { rows })
  }

  /** A text of several statements has a result for each. */
  const convert = (result: Results) => (Array.isArray(result) ? result.map(toObjects) : toObjects(result))

  Object.assign(client, {
    query(statement: string | QueryConfig, values?: unknown[], callback?: Callback<unknown>): unknown {
      if (typeof statement === 'object' && ('submit' in statement || 'rowMode' in statement))
        return Reflect.apply(send, client, [statement, values, callback])
      const config = { ...(typeof statement === 'string' ? { text: statement } : statement), rowMode: 'array' }
      if (callback === undefined) return Reflect.apply(send, client, [config, values]).then(convert)
      const onResult: Callback<Results> = (error, result) =>
        callback(error, result === undefined ? result : convert(result))
      return Reflect.apply(send, client, [config, values, onResult])
    },
  })
}
