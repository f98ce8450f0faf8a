import { problem, type SearchMode, searchModes } from '@wp/contracts'

/** The position after the last hit of a page. A search continues with the engine that began it. */
export type SearchCursor = ({ engine: 'postgres' } & HitCursor) | ({ engine: 'opensearch' } & RecordHitCursor)

interface CursorBase {
  /** Mode of the ranking; scores of different modes cannot be compared. */
  mode: SearchMode
  score: number
  /** Number of hits on this page and all before it. */
  shown: number
}

/** The position in a ranking of PostgreSQL. */
export interface HitCursor extends CursorBase {
  dataSourceId: string
  /** Document number in the index of the source. */
  document: number
}

/** The position in a ranking of the search engine. */
export interface RecordHitCursor extends CursorBase {
  recordId: string
}

export const encodeHitCursor = ({ mode, score, dataSourceId, document, shown }: HitCursor): string =>
  encode([mode, score, dataSourceId, document, shown])

export const encodeRecordHitCursor = ({ mode, score, recordId, shown }: RecordHitCursor): string =>
  encode([mode, score, recordId, shown])

const encode = (values: readonly unknown[]): string => Buffer.from(JSON.stringify(values)).toString('base64url')

/** @throws Problem `invalid_cursor` */
export function decodeHitCursor(text: string, pointer: string): SearchCursor {
  const [modeName, score, id, ...numbers] = parse(text)
  const mode = searchModes.find((known) => known === modeName)
  if (
    mode !== undefined &&
    typeof score === 'number' &&
    typeof id === 'string' &&
    numbers.every((number): number is number => Number.isSafeInteger(number))
  ) {
    const [first = 0, shown] = numbers
    if (shown !== undefined) return { engine: 'postgres', mode, score, dataSourceId: id, document: first, shown }
    return { engine: 'opensearch', mode, score, recordId: id, shown: first }
  }
  throw problem('invalid_cursor', { errors: [{ pointer, detail: 'is not a cursor of this search' }] })
}

function parse(text: string): unknown[] {
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString())
    return Array.isArray(value) && (value.length === 4 || value.length === 5) ? value : []
  } catch {
    return []
  }
}
