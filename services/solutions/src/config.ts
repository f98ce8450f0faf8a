import { brokerConfig, databaseConfig, integer, processConfig } from '@wp/service'
import { z } from 'zod'

export const config = z.object({
  ...processConfig,
  ...databaseConfig,
  ...brokerConfig,
  /**
   * Concurrent runs per process; each uses one thread of low priority and, at most, 750 MiB. One workspace has a quarter,
   * at least one, while others wait.
   */
  FORECAST_CONCURRENCY: integer(1, 32).default(4),
  /** Maximum rows of a source per run. One million use up to 750 MiB; three million exceed the thread's memory. */
  FORECAST_MAX_ROWS: integer(1, 2_000_000).default(1_000_000),
  /** Lease of a running job; renewed every third of it. */
  JOB_LEASE_SECONDS: integer(1, 600).default(15),
})

export type Config = z.output<typeof config>
