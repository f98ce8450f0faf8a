import type { IndexedSource } from '../../store/search/list-indexes.ts'
import type { HitCursor } from '../query/hit-cursor.ts'
import type { SearchedIndex } from './bm25-ranking.ts'

/** Which document of which source, and how its text is read. */
export interface DocumentLocation {
  dataSourceId: string
  document: number
  configuration: string
}

/** The sources a search goes through; the documents of all of them are numbered through. */
export interface SearchedSources {
  indexes: readonly (SearchedIndex & { dataSourceId: string })[]
  /** Of all sources, also those whose documents are not wanted. */
  totals: { documents: number; length: number }
  /** One more than the last number. */
  maxDoc: number
  /** What a number stands for. */
  locate(number: number): DocumentLocation
  /** Where the document of a cursor would stand, also when its source is gone. */
  numberOf(cursor: HitCursor): number
}

/** @param ids the sources whose documents may be answered; undefined: all */
export function numberDocuments(
  sources: readonly IndexedSource[],
  ids: readonly string[] | undefined,
): SearchedSources {
  let size = 0
  const indexes = sources.map(({ dataSourceId, indexId, maxDoc: own, configuration }) => {
    const isWanted = ids === undefined || ids.includes(dataSourceId)
    const index = { dataSourceId, indexId, base: size, maxDoc: own, configuration, isSelected: isWanted }
    size += own
    return index
  })
  return {
    indexes,
    maxDoc: size,
    totals: {
      documents: sources.reduce((sum, { documents }) => sum + documents, 0),
      length: sources.reduce((sum, { length }) => sum + length, 0),
    },
    locate(number) {
      const index = indexes.find(({ base, maxDoc: own }) => number < base + own)
      if (index === undefined) throw new Error('a ranked document is of an index')
      const { dataSourceId, base, configuration } = index
      return { dataSourceId, document: number - base, configuration }
    },
    numberOf({ dataSourceId, document }) {
      const index = indexes.find((one) => one.dataSourceId >= dataSourceId)
      if (index === undefined) return Number.POSITIVE_INFINITY
      return index.dataSourceId === dataSourceId ? index.base + document : index.base - 1
    },
  }
}
