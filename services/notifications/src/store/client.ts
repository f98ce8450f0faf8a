import type { ScopedClient, Transaction } from '@wp/database'
import type { JobControl } from '@wp/jobs'
import { type Prisma, PrismaClient } from '#db'

/** The Prisma client of this service's database. */
export type Client = PrismaClient

export const createClient = (adapter: NonNullable<Prisma.PrismaClientOptions['adapter']>): Client =>
  new PrismaClient({ adapter })

/** The client of a read. */
export type Db = ScopedClient<Client>

/** A transaction of this service's database. */
export type Tx = Transaction<Client>

/** Job control with transactions on this service's database. */
export type Control = JobControl<Client>
