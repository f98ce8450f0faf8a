import { integer } from '@wp/service'
import { z } from 'zod'

const maxNodes = 20

/** Parses the addresses of nodes, separated by commas. */
const NodeUrls = z
  .string()
  .transform((text) => text.split(',').map((part) => part.trim()))
  .pipe(z.array(z.url({ protocol: /^https?$/ })).max(maxNodes))
  .transform((urls) => urls.map((url) => new URL(url)))

/** Environment variables of the connection to OpenSearch. */
export const openSearchConfig = {
  /** Addresses of its nodes, separated by commas; with user and password if it requires them. */
  OPENSEARCH_URL: NodeUrls.optional(),
  /** Name of the index: the alias by which it is searched. Cells that share a cluster have different ones. */
  OPENSEARCH_INDEX: z
    .string()
    .regex(/^[a-z][a-z0-9-]{0,60}$/)
    .default('records'),
  /** Limit of a request of a search; the rest of SEARCH_TIMEOUT_MS is for PostgreSQL if it fails. */
  OPENSEARCH_TIMEOUT_MS: integer(100, 30_000).default(2_000),
  /** Interval of the search for changed records. */
  OPENSEARCH_POLL_MS: integer(10, 60_000).default(500),
}
