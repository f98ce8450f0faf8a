import { problem, type SearchMode, searchModes } from '@wp/contracts'

/** Where a page of hits ended. */
export interface HitCursor {
  /** What made the ranking: places in one of another kind say nothing. */
  mode: SearchMode
  score: number
  dataSourceId: string
  /** Its number in the index of its source. */
  document: number
  /** How many hits were shown so far. */
  shown: number
}

export const encodeHitCursor = ({ mode, score, dataSourceId, document, shown }: HitCursor): string =>
  Buffer.from(JSON.stringify([mode, score, dataSourceId, document, shown])).toString('base64url')

/** @throws Problem `invalid_cursor` */
export function decodeHitCursor(text: string, pointer: string): HitCursor {
  const [made, score, dataSourceId, document, shown] = parse(text)
  const mode = searchModes.find((known) => known === made)
  if (
    mode !== undefined &&
    typeof score === 'number' &&
    typeof dataSourceId === 'string' &&
    Number.isSafeInteger(document) &&
    Number.isSafeInteger(shown)
  )
    // Both were just found to be integers.
    return { mode, score, dataSourceId, document: document as number, shown: shown as number }
  throw problem('invalid_cursor', { errors: [{ pointer, detail: 'is not a cursor of this search' }] })
}

function parse(text: string): unknown[] {
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString())
    return Array.isArray(value) && value.length === 5 ? value : []
  } catch {
    return []
  }
}
