import { PrismaPg } from '@prisma/adapter-pg'
import type { SqlQuery } from '@prisma/driver-adapter-utils'
import { Pool } from 'pg'
import { type ConnectionStorage, currentConnection } from './scoped-connection.ts'

/**
 * Creates a Prisma adapter that sends every query to the connection of the surrounding `read` or `transact`. Prisma and
 * plain SQL thus share one transaction without Prisma's interactive transactions, which cost four times as much.
 *
 * PrismaPg (7.10) uses a pool in three ways: `query(config)`; `connect()`, for the transaction around nested writes;
 * `on` and `removeListener`. It requires an instance of `pg.Pool`; the one passed here never opens a connection.
 */
export function createRoutedAdapter(connections: ConnectionStorage): PrismaPg {
  const pool: Pool = Object.assign(new Pool({ max: 1 }), {
    query: async (config: Parameters<ReturnType<typeof currentConnection>['send']>[0]) =>
      await currentConnection(connections).send(config),
    connect: async () => await currentConnection(connections).openNested(),
  })
  return new PrismaPg(pool, { statementNameGenerator: createStatementNamer() })
}

/** Maximum number of prepared statements per connection. Value lists make the set of Prisma's statements unbounded. */
const maxPreparedStatements = 300

/**
 * Creates a function that names statements, so that PostgreSQL parses and plans each once per connection: a third more
 * reads per second. Prisma lists the columns it selects, so a column added by a migration does not change the result
 * type of a prepared statement.
 */
function createStatementNamer(): (query: SqlQuery) => string {
  const names = new Map<string, string>()
  return ({ sql }) => {
    const existing = names.get(sql)
    if (existing !== undefined) return existing
    // pg does not prepare a statement with an empty name.
    if (names.size === maxPreparedStatements) return ''
    const name = `prisma_${names.size + 1}`
    names.set(sql, name)
    return name
  }
}
