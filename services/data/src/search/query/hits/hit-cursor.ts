import { problem, type SearchMode, searchModes } from '@wp/contracts'
import { endLength } from '../../../store/search/hit-rows.ts'
import type { Warning } from '../../rank/warning.ts'

const engines = ['postgres', 'opensearch'] as const

/** The position after a page. A search continues with the engine that began it. */
export type SearchCursor = FirstPageCursor | ViewCursor

interface CursorBase {
  engine: (typeof engines)[number]
  /** Mode of the ranking. */
  mode: SearchMode
}

/** The position after the first page, of which nothing is stored: it names the hits of that page. */
export interface FirstPageCursor extends CursorBase {
  /** Time of the first page, in milliseconds since 1970. */
  seenAt: number
  /** Number of hits on all pages; undefined if it is not known. */
  total: number | undefined
  /** The ends of the record ids of the page. */
  firstHits: string
}

/** The position after a later page, in the stored ranking of the search. */
export interface ViewCursor extends CursorBase {
  viewId: string
  /** Number of ranked hits that were read. */
  start: number
  /** Number of hits on this page and all before it. */
  shown: number
}

export const isViewCursor = (cursor: SearchCursor): cursor is ViewCursor => 'viewId' in cursor

export const endOf = (recordId: string): string => recordId.slice(-endLength)

/** Returns the ends of record ids as one text. */
export const joinEnds = (recordIds: readonly string[]): string => recordIds.map(endOf).join('')

/** Returns the text of the cursor after a first page with these rows. */
export const cursorAfter = (
  { engine, mode }: CursorBase,
  total: number | undefined,
  page: readonly { row: { recordId: string; readAt: number } }[],
): string =>
  encodeSearchCursor({
    engine,
    mode,
    total,
    seenAt: page.length === 0 ? latestTime : Math.max(...page.map(({ row }) => row.readAt)),
    firstHits: joinEnds(page.map(({ row }) => row.recordId)),
  })

/** Returns the ends that `joinEnds` joined. */
export const splitEnds = (ends: string): string[] => ends.match(/.{10}/g) ?? []

export const countEnds = (ends: string): number => ends.length / endLength

export function encodeSearchCursor(cursor: SearchCursor): string {
  const common = [engines.indexOf(cursor.engine), searchModes.indexOf(cursor.mode)]
  if (isViewCursor(cursor)) return encode([...common, cursor.viewId, cursor.start, cursor.shown])
  return `${encode([...common, cursor.seenAt, cursor.total ?? null])}.${cursor.firstHits}`
}

const encode = (values: readonly unknown[]): string => Buffer.from(JSON.stringify(values)).toString('base64url')

/** @throws Problem `invalid_cursor` */
export function decodeSearchCursor(text: string, pointer: string): SearchCursor {
  const [head = '', firstHits, ...others] = text.split('.')
  const [engineNth, modeNth, first, second, third] = parse(head)
  const [engine, mode] = [engines[Number(engineNth)], searchModes[Number(modeNth)]]
  if (engine !== undefined && mode !== undefined && others.length === 0) {
    const common = { engine, mode }
    if (firstHits === undefined) {
      if (typeof first === 'string' && uuid.test(first) && isCount(second) && isCount(third))
        return { ...common, viewId: first, start: second, shown: third }
    } else if (isCount(first) && first <= latestTime && (second === null || isCount(second)) && ends.test(firstHits))
      return { ...common, seenAt: first, total: second ?? undefined, firstHits }
  }
  throw problem('invalid_cursor', { errors: [{ pointer, detail: 'is not a cursor of this search' }] })
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
/** Of at most 100 records. */
const ends = /^(?:[0-9a-z]{10}){0,100}$/
/** The last millisecond of year 9999. */
const latestTime = Date.UTC(9999, 11, 31, 23, 59, 59, 999)
const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0

function parse(text: string): unknown[] {
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString())
    return Array.isArray(value) ? value : []
  } catch {
    return []
  }
}

/** Maximum number of hits that the cursors of one search lead to. */
export const maxDepth = 10_000

export const depthReached: Warning = {
  code: 'depth_reached',
  message: `At most ${maxDepth} hits are listed; narrow the query to see others`,
}
