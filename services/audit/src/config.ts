import { brokerConfig, databaseConfig, integer, processConfig } from '@wp/service'
import { z } from 'zod'

export const config = z.object({
  ...processConfig,
  ...databaseConfig,
  ...brokerConfig,
  /** The keys with which heads and anchors of chains are signed: a JWKS, of which one key is private. */
  AUDIT_SIGNING_KEY_FILE: z.string(),
  /** Chains that one process appends to concurrently. Each takes a connection in addition to those of other background work. */
  APPEND_CONCURRENCY: integer(1, 16).default(2),
  /** Time after which the broker redelivers events that a stopped replica had not acknowledged. */
  ACK_WAIT_SECONDS: integer(1, 300).default(30),
})

export type Config = z.output<typeof config>
