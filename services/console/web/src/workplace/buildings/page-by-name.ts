import { byName } from './space-words.ts'

const rowsOfPage = 50

/**
 * Returns a page of a whole list in the order of names, which the API does not have.
 * @param cursor number of items before the page
 */
export function pageByName<Item extends { name: string }>(items: readonly Item[], cursor: string | undefined) {
  const first = Number(cursor ?? 0) || 0
  const next = first + rowsOfPage
  return {
    items: items.toSorted(byName).slice(first, next),
    nextCursor: next < items.length ? `${next}` : null,
    total: items.length,
  }
}
