import { problem } from '@wp/contracts'

/** Where a page of hits ended. */
export interface HitCursor {
  score: number
  dataSourceId: string
  /** Its number in the index of its source. */
  document: number
  /** How many hits were shown so far. */
  shown: number
}

export const encodeHitCursor = ({ score, dataSourceId, document, shown }: HitCursor): string =>
  Buffer.from(JSON.stringify([score, dataSourceId, document, shown])).toString('base64url')

/** @throws Problem `invalid_cursor` */
export function decodeHitCursor(text: string, pointer: string): HitCursor {
  const [score, dataSourceId, document, shown] = parse(text)
  if (
    typeof score === 'number' &&
    typeof dataSourceId === 'string' &&
    Number.isSafeInteger(document) &&
    Number.isSafeInteger(shown)
  )
    // Both were just found to be integers.
    return { score, dataSourceId, document: document as number, shown: shown as number }
  throw problem('invalid_cursor', { errors: [{ pointer, detail: 'is not a cursor of this search' }] })
}

function parse(text: string): unknown[] {
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString())
    return Array.isArray(value) && value.length === 4 ? value : []
  } catch {
    return []
  }
}
