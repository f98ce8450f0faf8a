import type { Client } from 'pg'
import { createPostingsCache } from '../../../services/data/src/search/index/postings-cache.ts'
import { parseQuery } from '../../../services/data/src/search/query/input/parse-query.ts'
import { rankLexically } from '../../../services/data/src/search/rank/lexical-ranking.ts'
import { createScoreBuffers } from '../../../services/data/src/search/rank/postings/buffer-pool.ts'
import { type RankingPolicy, rankingPolicy } from '../../../services/data/src/search/rank/ranking-policy.ts'
import { numberDocuments } from '../../../services/data/src/search/rank/searched-sources.ts'
import { createTopKReader } from '../../../services/data/src/search/rank/top-k.ts'
import { listIndexes } from '../../../services/data/src/store/search/list-indexes.ts'

/** Differences from the search of the service. */
export interface SearchVariant {
  policy?: Partial<RankingPolicy>
  /** False if the last word is taken as complete. */
  completesLastWord?: boolean
}

/** Returns the ids of the best 100 documents. */
export type InProcessSearch = (text: string, variant: SearchVariant) => Promise<string[]>

const depth = 100

/**
 * Creates a search that ranks in this process by the stored index of a workspace with one source, as the data service
 * does, except for phrases.
 * @param client connected to the database of the data service as superuser
 */
export async function createInProcessSearch(client: Client, workspaceId: string): Promise<InProcessSearch> {
  const query = async <Row>(text: string, values: readonly unknown[] = []) =>
    (await client.query(text, [...values])).rows as Row[] // the statement determines the type, as for the service
  const sources = numberDocuments(await listIndexes(query, workspaceId, undefined), undefined)
  const records = await query<{ document: number; key: string }>(
    'SELECT document, key FROM data_records WHERE workspace_id = $1 AND document IS NOT NULL',
    [workspaceId],
  )
  const ids = new Map(records.map(({ document, key }) => [document, key]))
  const resources = { postingsCache: createPostingsCache(64 * 1024 * 1024), buffers: createScoreBuffers() }
  const session = { workspaceId, query, yieldIfDue: async () => {} }
  return async (text, { policy, completesLastWord = true }) => {
    const { prefix, ...parsed } = parseQuery(text)
    const lexicalQuery = { ...parsed, phrases: [], prefix: completesLastWord ? prefix : null }
    const { ranking } = await rankLexically(session, resources, sources, lexicalQuery, { ...rankingPolicy, ...policy })
    return createTopKReader(ranking, depth)(depth).map((document) => ids.get(document) ?? '')
  }
}
