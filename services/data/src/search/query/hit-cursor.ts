import { problem, type SearchMode, searchModes } from '@wp/contracts'

/** The position after the last hit of a page. */
export interface HitCursor {
  /** Mode of the ranking; scores of different modes cannot be compared. */
  mode: SearchMode
  score: number
  dataSourceId: string
  /** Document number in the index of the source. */
  document: number
  /** Number of hits on this page and all before it. */
  shown: number
}

export const encodeHitCursor = ({ mode, score, dataSourceId, document, shown }: HitCursor): string =>
  Buffer.from(JSON.stringify([mode, score, dataSourceId, document, shown])).toString('base64url')

/** @throws Problem `invalid_cursor` */
export function decodeHitCursor(text: string, pointer: string): HitCursor {
  const [modeName, score, dataSourceId, document, shown] = parse(text)
  const mode = searchModes.find((known) => known === modeName)
  if (
    mode !== undefined &&
    typeof score === 'number' &&
    typeof dataSourceId === 'string' &&
    Number.isSafeInteger(document) &&
    Number.isSafeInteger(shown)
  )
    // isSafeInteger does not narrow; both are integers.
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
