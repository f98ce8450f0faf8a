import type { Transaction } from '@wp/database'
import type { PrismaClient } from '#db'

/** A transaction of this service's database. */
export type Tx = Transaction<PrismaClient>
