import { brokerConfig, databaseConfig, integer, processConfig } from '@wp/service'
import { z } from 'zod'

export const config = z.object({
  ...processConfig,
  ...databaseConfig,
  ...brokerConfig,
  /** Chains that one process appends to at once; each takes a connection beside those for requests. */
  APPEND_CONCURRENCY: integer(1, 16).default(2),
})

export type Config = z.output<typeof config>
