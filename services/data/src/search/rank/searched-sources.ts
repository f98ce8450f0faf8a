import type { DocumentKey } from '../../store/search/documents.ts'
import type { IndexedSource } from '../../store/search/list-indexes.ts'
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

/** @param selectedIds sources whose documents may be hits; undefined: all */
export function numberDocuments(
  sources: readonly IndexedSource[],
  selectedIds: readonly string[] | undefined,
): SearchedSources {
  let next = 0
  const indexes = sources.map(({ dataSourceId, indexId, maxDoc, configuration }) => {
    const isSelected = selectedIds === undefined || selectedIds.includes(dataSourceId)
    const index = { dataSourceId, indexId, base: next, maxDoc, configuration, isSelected }
    next += maxDoc
    return index
  })
  return {
    indexes,
    maxDoc: next,
    totals: {
      documents: sources.reduce((sum, { documents }) => sum + documents, 0),
      length: sources.reduce((sum, { length }) => sum + length, 0),
    },
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
