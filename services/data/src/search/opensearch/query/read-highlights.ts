import type { EngineHighlight } from './engine-rows.ts'
import type { EngineQuery } from './filter-query.ts'
import { highlightOptions, highlightsOf } from './highlights.ts'
import { rankByMeaning } from './rank-by-meaning.ts'
import type { Steps } from './rank-records.ts'

/**
 * Reads what the search engine shows of records: highlights of those that have the words, and the nearest span of the
 * others if the search is by meaning, too.
 * @param marks matches the words; undefined if only spans are shown
 */
export async function readHighlights(
  { session, search, input, request }: Steps,
  marks: EngineQuery | undefined,
  recordIds: readonly string[],
): Promise<Map<string, EngineHighlight>> {
  const ids = { ids: { values: recordIds } }
  const highlights = new Map<string, EngineHighlight>()
  if (marks !== undefined) {
    const highlight = highlightOptions(request.languages.sources, { matches: marks })
    const query = { bool: { must: [marks], filter: [ids] } }
    const { hits } = await search.run({ query, size: recordIds.length, track_total_hits: false, highlight })
    for (const hit of hits.hits) highlights.set(hit._id, highlightsOf(hit))
  }
  const others = recordIds.filter((recordId) => !highlights.has(recordId))
  if (input.embedding === undefined || others.length === 0) return highlights
  const nearest = await rankByMeaning(
    search,
    session.workspaceId,
    { filters: [{ ids: { values: others } }] },
    input.embedding,
    { size: others.length, documents: others.length, hasSpans: true },
  )
  for (const { recordId, span } of nearest) highlights.set(recordId, { span })
  return highlights
}
