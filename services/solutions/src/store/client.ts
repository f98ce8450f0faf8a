import type { ScopedClient, Transaction } from '@wp/database'
import type { JobControl } from '@wp/jobs'
import { type Prisma, PrismaClient } from '#db'

/** The Prisma client of this service's database. */
export type Client = PrismaClient

/** The client within a workspace or a transaction. */
export type Db = ScopedClient<Client>

/** A transaction on this service's database. */
export type Tx = Transaction<Client>

/** Job control with transactions on this service's database. */
export type Control = JobControl<Client>

export const createClient = (adapter: NonNullable<Prisma.PrismaClientOptions['adapter']>): Client =>
  new PrismaClient({ adapter })
