import { PrismaPg } from '@prisma/adapter-pg'
import type { SqlQuery } from '@prisma/driver-adapter-utils'
import { Pool } from 'pg'
import { currentLease, type Leases } from './lease.ts'

/**
 * The adapter of a Prisma client whose every query goes to the connection of the `read` or `transact` it runs in, so
 * that Prisma and plain SQL share one transaction, without Prisma's interactive ones, which cost four times as much.
 *
 * PrismaPg (7.10) touches a pool in three ways: `query(config)`; `connect()`, for the transaction it puts around nested
 * writes; `on` and `removeListener`. It insists on an instance of `pg.Pool`; this one never connects by itself.
 */
export function routedAdapter(leases: Leases): PrismaPg {
  const pool: Pool = Object.assign(new Pool({ max: 1 }), {
    query: async (config: Parameters<ReturnType<typeof currentLease>['send']>[0]) =>
      await currentLease(leases).send(config),
    connect: async () => await currentLease(leases).nested(),
  })
  return new PrismaPg(pool, { statementNameGenerator: statementNames() })
}

/** Statements that a connection keeps prepared, at most; lists of values give Prisma's statements endless lengths. */
const preparedStatements = 300

/**
 * Names for statements, so that PostgreSQL parses and plans each once a connection: a third more reads a second.
 * Prisma names the columns it wants, so a column that a migration adds does not change what a prepared one returns.
 */
function statementNames(): (query: SqlQuery) => string {
  const names = new Map<string, string>()
  return ({ sql }) => {
    const known = names.get(sql)
    if (known !== undefined) return known
    // pg takes an empty name for none.
    if (names.size === preparedStatements) return ''
    const name = `prisma_${names.size + 1}`
    names.set(sql, name)
    return name
  }
}
