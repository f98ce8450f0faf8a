import type { Transaction } from '@wp/database'
import { type Prisma, PrismaClient } from '#db'

/** The Prisma client of this service's database. */
export type Client = PrismaClient

export const createClient = (adapter: NonNullable<Prisma.PrismaClientOptions['adapter']>): Client =>
  new PrismaClient({ adapter })

/** A transaction of this service's database. */
export type Tx = Transaction<Client>
