import { z } from 'zod'
import type { OpenSearchClient } from '../client/opensearch-client.ts'
import type { EngineQuery } from './filter-query.ts'

/** Searches the documents of one workspace. */
export interface WorkspaceSearch {
  /**
   * Runs one search.
   * @param body a search request; its `query` is restricted to the workspace
   * @throws SearchEngineUnavailable, SearchEngineError; the reason of the signal
   */
  run(body: SearchBody): Promise<EngineResponse>
}

interface SearchBody {
  query: EngineQuery
  size: number
  [option: string]: unknown
}

/** The most hits or buckets that OpenSearch returns by default (`index.max_result_window`). */
const maxItems = 10_000

// unbounded: has the names that the request chose, a few
const byRequestedName = <Value extends z.ZodType>(value: Value) => z.record(z.string(), value)

const Aggregation = z.object({
  doc_count: z.number().optional(),
  buckets: z
    .union([
      z.array(z.object({ key: z.string(), doc_count: z.number() })).max(maxItems),
      byRequestedName(z.object({ doc_count: z.number() })),
    ])
    .optional(),
})

const InnerHit = z.object({ _source: z.object({ start: z.number(), length: z.number() }).loose() }).loose()

const Hit = z
  .object({
    _id: z.string(),
    _score: z.number().nullish(),
    matched_queries: z.array(z.string()).max(maxItems).optional(),
    highlight: byRequestedName(z.array(z.string()).max(maxItems)).optional(),
    inner_hits: byRequestedName(
      z.object({ hits: z.object({ hits: z.array(InnerHit).max(maxItems) }).loose() }),
    ).optional(),
  })
  .loose()

const EngineResponse = z
  .object({
    hits: z.object({ total: z.object({ value: z.number() }).optional(), hits: z.array(Hit).max(maxItems) }).loose(),
    aggregations: byRequestedName(Aggregation).optional(),
  })
  .loose()
export type EngineResponse = z.infer<typeof EngineResponse>
export type EngineHit = z.infer<typeof Hit>

/** The only place from which the index is searched: no query leaves it without its workspace. */
export function createWorkspaceSearch(
  client: OpenSearchClient,
  workspaceId: string,
  { alias, signal, timeoutMs }: { alias: string; signal: AbortSignal; timeoutMs: number },
): WorkspaceSearch {
  const path = `/${alias}/_search?routing=${encodeURIComponent(workspaceId)}&allow_partial_search_results=false`
  return {
    async run({ query, ...options }) {
      const scoped = { bool: { must: [query], filter: [{ term: { workspace_id: workspaceId } }] } }
      const body = { _source: false, timeout: `${timeoutMs}ms`, ...options, query: scoped }
      return EngineResponse.parse(await client.request('POST', path, { body, signal, timeoutMs }))
    },
  }
}
