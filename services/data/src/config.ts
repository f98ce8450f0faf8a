import { outboundConfig, rejectPrivateRanges } from '@wp/outbound'
import { brokerConfig, databaseConfig, integer, processConfig } from '@wp/service'
import { z } from 'zod'

export const config = z
  .object({
    ...processConfig,
    ...databaseConfig,
    ...brokerConfig,
    ...outboundConfig,
    /** Uploads beyond this many bytes are answered 202 and a sync. */
    UPLOAD_ASYNC_BYTES: integer(0, 1_073_741_824).default(33_554_432),
    /** Syncs under way at once in this process. */
    SYNC_CONCURRENCY: integer(1, 100).default(2),
    /** Memory for what searches of common words read, so that it need not be read again. */
    SEARCH_CACHE_MIB: integer(0, 4_096).default(32),
    /** Memory for embeddings that were read, likewise; about a byte a dimension of each chunk. */
    EMBEDDING_CACHE_MIB: integer(0, 65_536).default(64),
    /** How often it is looked for records to embed. */
    EMBEDDING_POLL_MS: integer(10, 60_000).default(1_000),
    /** How long a search waits for the embedding of its query. */
    EMBEDDING_QUERY_TIMEOUT_MS: integer(100, 20_000).default(5_000),
    /** How long a sync stays with a process that has fallen silent; it is renewed three times as often. */
    JOB_LEASE_SECONDS: integer(1, 600).default(15),
  })
  .superRefine(rejectPrivateRanges)

export type Config = z.output<typeof config>
