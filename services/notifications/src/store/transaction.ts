import type { Transaction } from '@wp/database'
import type { JobControl } from '@wp/jobs'
import type { PrismaClient } from '#db'

/** A transaction on this service's database. */
export type Tx = Transaction<PrismaClient>

/** Job control with transactions on this service's database. */
export type Control = JobControl<PrismaClient>
