import { brokerConfig, databaseConfig, integer, processConfig } from '@wp/service'
import { z } from 'zod'

export const config = z.object({
  ...processConfig,
  ...databaseConfig,
  ...brokerConfig,
  /** Chains that one process appends to at once; each takes a connection beside those for requests. */
  APPEND_CONCURRENCY: integer(1, 16).default(2),
  /** After so long, what was given to a replica that is gone is given to another. */
  ACK_WAIT_SECONDS: integer(1, 300).default(30),
})

export type Config = z.output<typeof config>
