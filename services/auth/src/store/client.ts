import type { Transaction } from '@wp/database'
import { type Prisma, PrismaClient } from '#db'

/** The Prisma client of this service's database. */
export type Client = PrismaClient

export const createClient = (adapter: NonNullable<Prisma.PrismaClientOptions['adapter']>): Client =>
  new PrismaClient({ adapter })

/** A transaction of this service's database. */
export type Tx = Transaction<Client>

type DefinedFields<T> = { [Field in keyof T]?: Exclude<T[Field], undefined> }

/** Removes undefined fields, so that an update leaves their columns unchanged. */
export function definedFields<T extends object>(changes: T): DefinedFields<T> {
  const defined = Object.entries(changes).filter(([, value]) => value !== undefined)
  return Object.fromEntries(defined) as DefinedFields<T> // only undefined fields were removed
}
