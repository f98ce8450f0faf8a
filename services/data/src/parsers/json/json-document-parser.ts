import { problem } from '@wp/contracts'
import { type Row, type RowParser, rowTooLarge } from '../row.ts'
import { type ArrayElement, createElementScanner, type ElementScanner } from './element-scanner.ts'
import { createJsonScanner } from './json-scanner.ts'
import { parseElement } from './parse-element.ts'
import { isJsonObject, parseJson } from './parse-json.ts'

/** Reads a JSON document in pieces: its rows as they come, and one value beside them. */
export interface JsonDocumentParser extends RowParser {
  /** What stands at `watch`, after the end: text or the text of a number; null for nothing, null or the empty text. */
  captured(): string | null
}

interface JsonPointers {
  /** Where the rows are (RFC 6901): an array of them, or one object; '' for the document itself. */
  rowsPointer?: string | undefined
  /** Where a value is that is looked for beside them. */
  capturePointer?: string | undefined
}

/**
 * Finds the array of rows in a JSON document of any size while it arrives, and holds no more of it than a row. What
 * surrounds the rows must be JSON to its end, as the whole is not known to be there otherwise; a bad element of the
 * array costs no other.
 *
 * @throws Problem `malformed_body`, with line and character
 */
export function createJsonDocumentParser({ rowsPointer = '', capturePointer }: JsonPointers): JsonDocumentParser {
  const rowsPath = parsePointer(rowsPointer)
  const capturePath = capturePointer === undefined ? undefined : parsePointer(capturePointer)
  const scanner = createJsonScanner()
  let rows: Row[] = []
  let hasRows = false
  let elementScanner: ElementScanner | undefined
  let capturedValue: string | null = null

  function visit(text: string, at: number): number | 'enter' | 'keep' {
    const character = text[at]
    if (scanner.isAt(rowsPath)) {
      hasRows = true
      if (character === '[') {
        if (capturePath !== undefined && isSamePath(capturePath.slice(0, rowsPath.length), rowsPath))
          throw scanner.malformed(`the rows are an array, in which "${capturePointer}" is not looked for`)
        elementScanner = createElementScanner(scanner.line())
        return at + 1
      }
      return 'keep'
    }
    if (capturePath === undefined || !scanner.isAt(capturePath)) return 'enter'
    if (character === '{' || character === '[') throw scanner.malformed(`"${capturePointer}" is no text and no number`)
    return 'keep'
  }

  /** A value that was kept: the one row there is, or what is watched. */
  function take(path: readonly string[], source: string | undefined, line: number): void {
    if (!isSamePath(path, rowsPath)) {
      capturedValue = source === undefined ? tooLongToSend() : capturedText(source)
      return
    }
    if (source === undefined) return void rows.push({ line, reason: rowTooLarge })
    const parsed = parseJson(source)
    if (parsed === undefined) throw scanner.malformed('this is not valid JSON')
    if (parsed.value === null) return
    if (!isJsonObject(parsed.value))
      throw scanner.malformed(`${describePointer(rowsPointer)} is neither an array nor an object`)
    rows.push({ line, value: parsed.value })
    if (capturePath !== undefined && isSamePath(capturePath.slice(0, rowsPath.length), rowsPath))
      capturedValue = valueTextAt(parsed.value, capturePath.slice(rowsPath.length))
  }

  const tooLongToSend = () => {
    throw scanner.malformed(`what "${capturePointer}" says is too long to be sent`)
  }

  return {
    write(text) {
      rows = []
      for (let at = 0; at < text.length; ) {
        if (elementScanner === undefined) {
          at = scanner.scan(text, at, visit, take)
          continue
        }
        const { elements, end } = elementScanner.scan(text, at)
        for (const element of elements) rows.push(parseElement(element))
        scanner.passed((end ?? text.length) - at, elementScanner.line())
        at = end ?? text.length
        if (end !== undefined) elementScanner = undefined
      }
      return rows
    },
    end() {
      rows = []
      const open: ArrayElement | undefined = elementScanner?.open()
      if (open !== undefined)
        throw scanner.malformed(`the document ends within element ${open.number}, which begins on line ${open.line}`)
      if (elementScanner !== undefined) throw scanner.malformed('the document ends within the array of rows')
      scanner.end(take)
      if (!hasRows) throw problem('malformed_body', { detail: `There is nothing at ${describePointer(rowsPointer)}` })
      return rows
    },
    captured: () => capturedValue,
  }
}

const describePointer = (pointer: string) => (pointer === '' ? 'the document' : `"${pointer}"`)

/** The reference tokens of a JSON Pointer (RFC 6901, section 4). */
const parsePointer = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'))

const isSamePath = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((token, index) => token === other[index])

function capturedText(source: string): string | null {
  const parsed = parseJson(source)
  return parsed === undefined ? null : valueText(parsed.value)
}

function valueTextAt(value: unknown, path: readonly string[]): string | null {
  let found: unknown = value
  for (const token of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, token)) return null
    found = (found as Record<string, unknown>)[token] // it has this member
  }
  return valueText(found)
}

function valueText(value: unknown): string | null {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && value !== '' ? value : null
}
