import type { DocumentKey } from '../../store/search/documents.ts'
import type { SearchSource } from '../../store/search/list-search-sources.ts'
import { textSearchConfiguration } from '../../store/search/text/text-parsing.ts'
import type { SearchInput } from '../query/input/search-input.ts'
import type { SearchedIndex } from './bm25-ranking.ts'

/** A document and the text search configuration of its source. */
export interface DocumentLocation extends DocumentKey {
  configuration: string
}

/** The sources of a search. Their documents share one numbering, in the order of the source ids. */
export interface SearchedSources {
  indexes: readonly (SearchedIndex & { dataSourceId: string })[]
  /** Statistics of all sources, including those that are not selected. */
  totals: { documents: number; length: number }
  /** One more than the highest number. */
  maxDoc: number
  /** Returns the document with a number. */
  locate(number: number): DocumentLocation
}

/**
 * Numbers the documents of sources that have an index.
 * @param language overrides the languages of the sources
 * @param dataSourceIds sources whose documents may be hits; undefined: all
 */
export function numberDocuments(
  sources: readonly SearchSource[],
  { language, dataSourceIds }: Pick<SearchInput, 'language' | 'dataSourceIds'>,
): SearchedSources {
  let next = 0
  const totals = { documents: 0, length: 0 }
  const indexes = sources.flatMap(({ dataSourceId, index, language: own }) => {
    if (index === null) return []
    const { indexId, maxDoc, documents, length } = index
    const configuration = textSearchConfiguration(language ?? own)
    const isSelected = dataSourceIds?.includes(dataSourceId) ?? true
    const base = next
    next += maxDoc
    totals.documents += documents
    totals.length += length
    return [{ dataSourceId, indexId, base, maxDoc, configuration, isSelected }]
  })
  return {
    indexes,
    maxDoc: next,
    totals,
    locate: createLocator(indexes),
  }
}

/**
 * Creates the function that returns the document with a number.
 * @param indexes in the order of their first numbers
 */
export const createLocator =
  (indexes: readonly Pick<SearchedSources['indexes'][number], 'dataSourceId' | 'base' | 'configuration'>[]) =>
  (number: number): DocumentLocation => {
    const index = indexes.findLast(({ base }) => base <= number)
    if (index === undefined) throw new Error(`document number ${number} belongs to no index`)
    const { dataSourceId, base, configuration } = index
    return { dataSourceId, document: number - base, configuration }
  }
