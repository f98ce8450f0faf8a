import { outboundConfig, rejectPrivateRanges } from '@wp/outbound'
import { brokerConfig, databaseConfig, integer, ownKekRule, processConfig, sealingConfig } from '@wp/service'
import { z } from 'zod'
import { openSearchConfig } from './search/opensearch/client/opensearch-config.ts'

export const config = z
  .object({
    ...processConfig,
    ...databaseConfig,
    ...brokerConfig,
    /** Seals the keys of pseudonyms. */
    ...sealingConfig,
    ...outboundConfig,
    /** Larger uploads, in bytes, are answered 202 with a sync. */
    UPLOAD_ASYNC_BYTES: integer(0, 1_073_741_824).default(33_554_432),
    /** Number of syncs at once in this process. One workspace has a quarter, at least one, while others wait. */
    SYNC_CONCURRENCY: integer(1, 100).default(4),
    /** Time limit of one attempt at reading a source. */
    CRAWL_TIMEOUT_SECONDS: integer(1, 86_400).default(3_600),
    /** Size of the cache of posting lists of frequent words. */
    SEARCH_CACHE_MIB: integer(0, 4_096).default(32),
    /** Size of the cache of embeddings: about one byte per dimension of each chunk. */
    EMBEDDING_CACHE_MIB: integer(0, 65_536).default(64),
    /** Interval of the search for records to embed. */
    EMBEDDING_POLL_MS: integer(10, 60_000).default(1_000),
    /** Number of data sources embedded at once, each of another workspace. */
    EMBEDDING_CONCURRENCY: integer(1, 100).default(4),
    /** Maximum time a search waits for the embedding of its query; leaves time for the search itself. */
    EMBEDDING_QUERY_TIMEOUT_MS: integer(100, 20_000).default(2_500),
    /** Limit of a search, with its wait for a turn. */
    SEARCH_TIMEOUT_MS: integer(100, 60_000).default(5_000),
    /** Maximum number of searches running at once in this process; of one workspace a quarter of it, at least 1. */
    SEARCH_CONCURRENCY: integer(1, 1_000).default(12),
    /** The engine that ranks records: `postgres`, or `opensearch` with OPENSEARCH_URL. */
    SEARCH_ENGINE: z.enum(['postgres', 'opensearch']).default('postgres'),
    ...openSearchConfig,
    /** Lease of a running job; renewed three times within this time. */
    JOB_LEASE_SECONDS: integer(1, 600).default(15),
  })
  .refine(...ownKekRule)
  .superRefine(rejectPrivateRanges)
  .refine(({ SEARCH_ENGINE, OPENSEARCH_URL }) => SEARCH_ENGINE === 'postgres' || OPENSEARCH_URL !== undefined, {
    path: ['OPENSEARCH_URL'],
    message: 'must be set with SEARCH_ENGINE=opensearch',
  })

export type Config = z.output<typeof config>
