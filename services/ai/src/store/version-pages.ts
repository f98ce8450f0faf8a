import { type Page, problem } from '@wp/contracts'
import { decodeCursor, paginate } from '@wp/database'

/** The part of a list of versions to read. */
export interface VersionPage {
  limit: number
  cursor?: string | undefined
}

/** A version and the one before it; undefined for the first. */
export interface VersionPair<Version> {
  version: Version
  before: Version | undefined
}

interface Numbered {
  version: number
  createdAt: Date
}

/** Returns the condition for the versions after a cursor. @throws Problem `invalid_cursor` */
export function beforeVersion({ cursor }: VersionPage): { version?: { lt: number } } {
  if (cursor === undefined) return {}
  const number = Number(decodeCursor(cursor).id)
  if (!Number.isSafeInteger(number) || number < 1 || number > maxVersionNumber)
    throw problem('invalid_cursor', { errors: [{ pointer: '?cursor', detail: 'is not a cursor of this list' }] })
  return { version: { lt: number } }
}

/** The greatest value of the column. */
const maxVersionNumber = 2 ** 31 - 1

/**
 * Returns a page of versions, each with the one before it, from rows fetched newest first with a limit of `limit + 1`.
 */
export function pairVersions<Version extends Numbered>(
  rows: readonly Version[],
  { limit }: VersionPage,
): Page<VersionPair<Version>> {
  const { items, nextCursor } = paginate(rows, limit, ({ version, createdAt }) => ({ createdAt, id: String(version) }))
  return { items: items.map((version, position) => ({ version, before: rows[position + 1] })), nextCursor }
}
