import { type Prisma, PrismaClient } from '#db'

/** The Prisma client of this service's database. */
export type Client = PrismaClient

export const createClient = (adapter: NonNullable<Prisma.PrismaClientOptions['adapter']>): Client =>
  new PrismaClient({ adapter })
