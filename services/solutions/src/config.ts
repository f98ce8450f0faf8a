import { brokerConfig, databaseConfig, integer, processConfig } from '@wp/service'
import { z } from 'zod'

export const config = z.object({
  ...processConfig,
  ...databaseConfig,
  ...brokerConfig,
  /** Runs at once in one process; each takes a thread. */
  FORECAST_CONCURRENCY: integer(1, 32).default(1),
  /** Rows of a source that one run works on. A million take 600 MiB; three million end the thread. */
  FORECAST_MAX_ROWS: integer(1, 2_000_000).default(1_000_000),
  /** How long a run stays with a process that has fallen silent; it is renewed three times as often. */
  JOB_LEASE_SECONDS: integer(1, 600).default(15),
})

export type Config = z.output<typeof config>
