import type { JobControl } from '@wp/jobs'
import type { PrismaClient } from '#db'

/** Job control with transactions on this service's database. */
export type Control = JobControl<PrismaClient>
