import { PrismaPg } from '@prisma/adapter-pg'
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
  return new PrismaPg(pool)
}
