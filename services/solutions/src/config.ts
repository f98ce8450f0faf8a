import { brokerConfig, databaseConfig, integer, processConfig } from '@wp/service'
import { z } from 'zod'

export const config = z.object({
  ...processConfig,
  ...databaseConfig,
  ...brokerConfig,
  /** Runs at once in one process; each takes a thread. */
  FORECAST_CONCURRENCY: integer(1, 32).default(1),
})

export type Config = z.output<typeof config>
