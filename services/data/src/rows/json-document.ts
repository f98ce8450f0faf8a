import { problem } from '@wp/contracts'
import { createElementCutter, type Element, type ElementCutter } from './json-elements.ts'
import { rowOfElement } from './json-row.ts'
import { createJsonWalker } from './json-walker.ts'
import { isObject, parseJson } from './parse-json.ts'
import { type Row, type RowReader, tooLong } from './row.ts'

/** Reads a JSON document in pieces: its rows as they come, and one value beside them. */
export interface JsonDocumentReader extends RowReader {
  /** What stands at `watch`, after the end: text or the text of a number; null for nothing, null or the empty text. */
  watched(): string | null
}

interface Places {
  /** Where the rows are (RFC 6901): an array of them, or one object; '' for the document itself. */
  rows?: string | undefined
  /** Where a value is that is looked for beside them. */
  watch?: string | undefined
}

/**
 * Finds the array of rows in a JSON document of any size while it arrives, and holds no more of it than a row. What
 * surrounds the rows must be JSON to its end, as the whole is not known to be there otherwise; a bad element of the
 * array costs no other.
 *
 * @throws Problem `malformed_body`, with line and character
 */
export function createJsonDocumentReader({ rows: rowsAt = '', watch: watchAt }: Places): JsonDocumentReader {
  const rowsPath = pathOf(rowsAt)
  const watchPath = watchAt === undefined ? undefined : pathOf(watchAt)
  const walker = createJsonWalker()
  let rows: Row[] = []
  let hasRows = false
  let cutter: ElementCutter | undefined
  let watched: string | null = null

  function visit(text: string, at: number): number | 'enter' | 'keep' {
    const character = text[at]
    if (walker.isAt(rowsPath)) {
      hasRows = true
      if (character === '[') {
        if (watchPath !== undefined && isSame(watchPath.slice(0, rowsPath.length), rowsPath))
          throw walker.malformed(`the rows are an array, in which "${watchAt}" is not looked for`)
        cutter = createElementCutter(walker.line())
        return at + 1
      }
      return 'keep'
    }
    if (watchPath === undefined || !walker.isAt(watchPath)) return 'enter'
    if (character === '{' || character === '[') throw walker.malformed(`"${watchAt}" is no text and no number`)
    return 'keep'
  }

  /** A value that was kept: the one row there is, or what is watched. */
  function take(path: readonly string[], source: string | undefined, line: number): void {
    if (!isSame(path, rowsPath)) {
      watched = source === undefined ? tooLongToSend() : wordOf(source)
      return
    }
    if (source === undefined) return void rows.push({ line, reason: tooLong })
    const parsed = parseJson(source)
    if (parsed === undefined) throw walker.malformed('this is not valid JSON')
    if (parsed.value === null) return
    if (!isObject(parsed.value)) throw walker.malformed(`${nameOf(rowsAt)} is neither an array nor an object`)
    rows.push({ line, value: parsed.value })
    if (watchPath !== undefined && isSame(watchPath.slice(0, rowsPath.length), rowsPath))
      watched = wordAt(parsed.value, watchPath.slice(rowsPath.length))
  }

  const tooLongToSend = () => {
    throw walker.malformed(`what "${watchAt}" says is too long to be sent`)
  }

  return {
    read(text) {
      rows = []
      for (let at = 0; at < text.length; ) {
        if (cutter === undefined) {
          at = walker.walk(text, at, visit, take)
          continue
        }
        const { elements, end } = cutter.cut(text, at)
        for (const element of elements) rows.push(rowOfElement(element))
        walker.passed((end ?? text.length) - at, cutter.line())
        at = end ?? text.length
        if (end !== undefined) cutter = undefined
      }
      return rows
    },
    end() {
      rows = []
      const open: Element | undefined = cutter?.open()
      if (open !== undefined)
        throw walker.malformed(`the document ends within element ${open.place}, which begins on line ${open.line}`)
      if (cutter !== undefined) throw walker.malformed('the document ends within the array of rows')
      walker.end(take)
      if (!hasRows) throw problem('malformed_body', { detail: `There is nothing at ${nameOf(rowsAt)}` })
      return rows
    },
    watched: () => watched,
  }
}

const nameOf = (pointer: string) => (pointer === '' ? 'the document' : `"${pointer}"`)

/** The reference tokens of a JSON Pointer (RFC 6901, section 4). */
const pathOf = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'))

const isSame = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((token, index) => token === other[index])

function wordOf(source: string): string | null {
  const parsed = parseJson(source)
  return parsed === undefined ? null : asWord(parsed.value)
}

function wordAt(value: unknown, path: readonly string[]): string | null {
  let found: unknown = value
  for (const token of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, token)) return null
    found = (found as Record<string, unknown>)[token] // it has this member
  }
  return asWord(found)
}

function asWord(value: unknown): string | null {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && value !== '' ? value : null
}
