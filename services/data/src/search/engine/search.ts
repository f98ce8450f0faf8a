import { invalidField, problem } from '@wp/contracts'
import type { Database } from '@wp/database'
import type { EmbeddingModels } from '../../embeddings/embedding-models.ts'
import { listSearchSources, type SearchSource } from '../../store/search/list-search-sources.ts'
import { namesOf } from '../query/filter/searched-fields.ts'
import type { SearchResult } from '../query/hits/hit.ts'
import { decodeSearchCursor } from '../query/hits/hit-cursor.ts'
import { parseQuery } from '../query/input/parse-query.ts'
import type { SearchInput } from '../query/input/search-input.ts'
import { searchWithoutQuery } from '../query/records/search-without-query.ts'
import { resolveEmbedding } from '../query/resolve-embedding.ts'
import type { SearchEngine } from '../query/search-engine.ts'
import type { Warning } from '../rank/warning.ts'
import type { SearchAdmission } from '../session/search-admission.ts'
import type { SearchLimits } from '../session/search-session.ts'
import { createSearchSession, type SearchSession } from '../session/search-session.ts'
import type { TimeSlices } from '../session/time-slices.ts'

interface SearchContext {
  database: Pick<Database, 'read' | 'worker'>
  models: EmbeddingModels
  searchEngines: SearchEngines
  searchAdmission: SearchAdmission
  searchLimits: SearchLimits
  timeSlices: TimeSlices
}

export interface SearchEngines {
  /** The engine of a search that begins. */
  chosen: SearchEngine
  /** The engine of PostgreSQL, which continues the searches that it began. */
  postgres: SearchEngine
}

/** Each phrase is tested on every match of the query. */
const maxPhrases = 10

/**
 * Searches the records of a workspace: ranks documents by words, by meaning or by both, and reads one page of hits.
 * Without a query, lists the records that pass the filters: from PostgreSQL, whichever engine ranks.
 * @throws Problem `validation_failed`, `unknown_reference`, `invalid_cursor`, `cursor_expired`,
 *   `embeddings_not_connected`, `embeddings_unavailable`, `records_restricted`, `search_timeout`; the reason of the
 *   signal
 */
export function search(context: SearchContext, workspaceId: string, input: SearchInput): Promise<SearchResult> {
  const { query } = input
  if (query !== undefined) return searchByQuery(context, workspaceId, { ...input, query })
  return context.searchAdmission.admit(workspaceId, input.signal, (signal) =>
    withSession(context, workspaceId, { ...input, signal }, (session) => searchWithoutQuery(session, input)),
  )
}

/**
 * Runs a search, which leaves out restricted sources, and warns of those among the searched ones.
 * @throws Problem `unknown_reference` if the request names a source that the workspace does not have;
 *   `records_restricted` if it names restricted ones only
 */
async function withSession(
  context: SearchContext,
  workspaceId: string,
  input: SearchInput,
  run: (session: SearchSession) => Promise<SearchResult>,
): Promise<SearchResult> {
  const { dataSourceIds, signal } = input
  const session = createSearchSession(context, workspaceId, signal)
  const known = await listSearchSources(session.query, workspaceId, namesOf(input))
  assertSourcesExist(known, input)
  const sources = known.filter(({ isRestricted }) => !isRestricted)
  const restricted = known.filter(
    ({ isRestricted, dataSourceId }) => isRestricted && (dataSourceIds?.includes(dataSourceId) ?? true),
  )
  if (restricted.length > 0 && dataSourceIds?.every((id) => restricted.some(({ dataSourceId }) => dataSourceId === id)))
    throw problem('records_restricted')
  const result = await run({ ...session, sources })
  if (restricted.length === 0) return result
  return {
    ...result,
    meta: { ...result.meta, warnings: [...result.meta.warnings, restrictedWarning(restricted.length)] },
  }
}

const restrictedWarning = (count: number): Warning => ({
  code: 'records_restricted',
  message: `${count === 1 ? '1 data source was' : `${count} data sources were`} left out, because the records are restricted to aggregates`,
})

async function searchByQuery(
  context: SearchContext,
  workspaceId: string,
  input: SearchInput & { query: string },
): Promise<SearchResult> {
  const after = input.cursor === undefined ? undefined : decodeSearchCursor(input.cursor, input.pointers.cursor)
  const parsed = parseQuery(input.query)
  if (parsed.phrases.length > maxPhrases)
    throw invalidField(input.pointers.query, `must have at most ${maxPhrases} phrases in double quotes`)
  return context.searchAdmission.admit(workspaceId, input.signal, async (signal) => {
    const { embedding, warnings } = await resolveEmbedding(context.models, workspaceId, { ...input, signal }, after)
    const { chosen, postgres } = context.searchEngines
    const engine = after?.engine === 'postgres' ? postgres : chosen
    return withSession(context, workspaceId, { ...input, signal }, (session) =>
      engine.search(session, { ...input, signal, parsed, after, embedding, embeddingWarnings: warnings }),
    )
  })
}

/** @throws Problem `unknown_reference` if the request names a source that is not among those of the workspace */
function assertSourcesExist(
  known: readonly SearchSource[],
  { dataSourceIds = [], pointers }: Pick<SearchInput, 'dataSourceIds' | 'pointers'>,
): void {
  const ids = new Set(known.map(({ dataSourceId }) => dataSourceId))
  const detail = 'is not a data source of this workspace'
  const errors = dataSourceIds.flatMap((id, nth) =>
    ids.has(id) ? [] : [{ pointer: pointers.dataSourceId(nth), detail }],
  )
  if (errors.length > 0) throw problem('unknown_reference', { detail: `${errors[0]?.pointer}: ${detail}`, errors })
}
