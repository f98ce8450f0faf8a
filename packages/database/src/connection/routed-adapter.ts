import { PrismaPg } from '@prisma/adapter-pg'
import type { SqlQuery } from '@prisma/driver-adapter-utils'
import { Pool } from 'pg'
import { type ConnectionStorage, currentConnection } from './scoped-connection.ts'

/**
 * The adapter of a Prisma client whose every query goes to the connection of the `read` or `transact` it runs in, so
 * that Prisma and plain SQL share one transaction, without Prisma's interactive ones, which cost four times as much.
 *
 * PrismaPg (7.10) touches a pool in three ways: `query(config)`; `connect()`, for the transaction it puts around nested
 * writes; `on` and `removeListener`. It insists on an instance of `pg.Pool`; this one never connects by itself.
 */
export function createRoutedAdapter(connections: ConnectionStorage): PrismaPg {
  const pool: Pool = Object.assign(new Pool({ max: 1 }), {
    query: async (config: Parameters<ReturnType<typeof currentConnection>['send']>[0]) =>
      await currentConnection(connections).send(config),
    connect: async () => await currentConnection(connections).openNested(),
  })
  return new PrismaPg(pool, { statementNameGenerator: createStatementNamer() })
}

/** Statements that a connection keeps prepared, at most; lists of values give Prisma's statements endless lengths. */
const maxPreparedStatements = 300

/**
 * Names for statements, so that PostgreSQL parses and plans each once a connection: a third more reads a second.
 * Prisma names the columns it wants, so a column that a migration adds does not change what a prepared one returns.
 */
function createStatementNamer(): (query: SqlQuery) => string {
  const names = new Map<string, string>()
  return ({ sql }) => {
    const existing = names.get(sql)
    if (existing !== undefined) return existing
    // pg takes an empty name for none.
    if (names.size === maxPreparedStatements) return ''
    const name = `prisma_${names.size + 1}`
    names.set(sql, name)
    return name
  }
}
