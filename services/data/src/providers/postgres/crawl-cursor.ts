import { hash } from 'node:crypto'
import { z } from 'zod'
import { parseJson } from '../../parsers/json/parse-json.ts'

const StoredPosition = z.object({
  query: z.string(),
  field: z.string(),
  value: z.string(),
  /** Set while a crawl from the beginning has not ended: rows with null are still to come. */
  is_first: z.boolean().optional(),
})

/** The position a query was read to. */
export interface QueryPosition {
  /** The exact text PostgreSQL writes for the last value of the cursor column. */
  value: string
  /** True if rows with null in the cursor column are still to be read, as the crawl from the beginning did not end. */
  includesNulls: boolean
}

export const formatCrawlCursor = (query: string, field: string, { value, includesNulls }: QueryPosition): string =>
  JSON.stringify({ query: digest(query), field, value, ...(includesNulls && { is_first: true }) })

/** Parses a cursor. Returns undefined if it is malformed or belongs to another query or column. */
export function parseCrawlCursor(cursor: string | undefined, query: string, field: string): QueryPosition | undefined {
  if (cursor === undefined) return undefined
  const { data: stored } = StoredPosition.safeParse(parseJson(cursor)?.value)
  if (stored === undefined || stored.query !== digest(query) || stored.field !== field) return undefined
  return { value: stored.value, includesNulls: stored.is_first === true }
}

/** Returns true for infinity and NaN: they sort at an end, so resuming at one would skip values written later. */
export const isNonFinite = (value: string): boolean => /^(?:-?infinity|nan)$/i.test(value)

const digest = (query: string) => hash('sha256', query.trim(), 'base64url').slice(0, 16)
