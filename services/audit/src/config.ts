import { brokerConfig, databaseConfig, integer, processConfig } from '@wp/service'
import { z } from 'zod'

export const config = z.object({
  ...processConfig,
  ...databaseConfig,
  ...brokerConfig,
  /** The keys with which heads and anchors of chains are signed: a JWKS, of which one key is private. */
  AUDIT_SIGNING_KEY_FILE: z.string(),
  /**
   * Chains that one process appends to concurrently. Each takes a connection in addition to those of other background
   * work.
   */
  APPEND_CONCURRENCY: integer(1, 16).default(2),
  /** Time after which the broker redelivers events that a stopped replica had not acknowledged. */
  ACK_WAIT_SECONDS: integer(1, 300).default(6),
  /** Concurrent compliance exports per process. While others wait, one workspace has a quarter, at least one. */
  EXPORT_CONCURRENCY: integer(1, 32).default(2),
  /** Maximum size of the content of one export. */
  EXPORT_MAX_BYTES: integer(1_024, 100 * 1024 ** 3).default(1024 ** 3),
  /** Days after which the content of a finished export is deleted. */
  EXPORT_RETENTION_DAYS: integer(1, 3_650).default(30),
  /** Lease of a running export; renewed every third of it. */
  JOB_LEASE_SECONDS: integer(1, 600).default(15),
})

export type Config = z.output<typeof config>
