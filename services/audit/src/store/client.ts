import type { JobControl } from '@wp/jobs'
import { type Prisma, PrismaClient } from '#db'

/** The Prisma client of this service's database. */
export type Client = PrismaClient

export const createClient = (adapter: NonNullable<Prisma.PrismaClientOptions['adapter']>): Client =>
  new PrismaClient({ adapter })

/** Job control with transactions on this service's database. */
export type Control = JobControl<Client>
