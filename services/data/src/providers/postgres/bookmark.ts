import { hash } from 'node:crypto'
import { z } from 'zod'

const Bookmark = z.object({ query: z.string(), field: z.string(), value: z.string() })

/** Notes how far a query was read: the text PostgreSQL writes for the value, which loses nothing of it. */
export const bookmark = (query: string, field: string, value: string): string =>
  JSON.stringify({ query: digest(query), field, value })

/** The value that was noted; nothing when it was for another query or column, whose rows were never read. */
export function placeOf(cursor: string | undefined, query: string, field: string): string | undefined {
  if (cursor === undefined) return undefined
  const noted = Bookmark.safeParse(parsed(cursor))
  if (!noted.success || noted.data.query !== digest(query) || noted.data.field !== field) return undefined
  return noted.data.value
}

/** Rows of such a value come in every order after all others, and would hide what is written later. */
export const isEndless = (value: string): boolean => /^(?:-?infinity|nan)$/i.test(value)

const digest = (query: string) => hash('sha256', query.trim(), 'base64url').slice(0, 16)

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
