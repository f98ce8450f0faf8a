import { hash } from 'node:crypto'
import { z } from 'zod'

const StoredPosition = z.object({
  query: z.string(),
  field: z.string(),
  value: z.string(),
  /** Of a crawl from the beginning that has not ended: rows without a value are still to come. */
  is_first: z.boolean().optional(),
})

/** How far a query was read. */
export interface QueryPosition {
  /** The text PostgreSQL writes for it, which loses nothing of it. */
  value: string
  /** Whether rows without a value are still to come, as the crawl from the beginning did not end. */
  isFirst: boolean
}

/** Notes how far a query was read. */
export const formatCrawlCursor = (query: string, field: string, { value, isFirst }: QueryPosition): string =>
  JSON.stringify({ query: digest(query), field, value, ...(isFirst && { is_first: true }) })

/** The place that was noted; nothing when it was for another query or column, whose rows were never read. */
export function parseCrawlCursor(cursor: string | undefined, query: string, field: string): QueryPosition | undefined {
  if (cursor === undefined) return undefined
  const noted = StoredPosition.safeParse(parseJson(cursor))
  if (!noted.success || noted.data.query !== digest(query) || noted.data.field !== field) return undefined
  return { value: noted.data.value, isFirst: noted.data.is_first === true }
}

/** Rows of such a value come in every order after all others, and would hide what is written later. */
export const isNonFinite = (value: string): boolean => /^(?:-?infinity|nan)$/i.test(value)

const digest = (query: string) => hash('sha256', query.trim(), 'base64url').slice(0, 16)

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
