import { problem } from '@wp/contracts'
import { type Row, type RowParser, rowTooLarge } from '../row.ts'
import { type ArrayElement, createElementScanner, type ElementScanner } from './element-scanner.ts'
import { createJsonScanner } from './json-scanner.ts'
import { faultOfRow, isJsonObject, parseJson } from './parse-json.ts'
import type { ValueHandler } from './scan-next.ts'

/** Parses a JSON document that arrives in chunks: its rows, and one value beside them. */
export interface JsonDocumentParser extends RowParser {
  /**
   * Returns the value at `capturePointer` once the document has ended: a string or the text of a number; null if it is
   * absent, null or the empty string.
   */
  captured(): string | null
}

interface JsonPointers {
  /** The rows (RFC 6901): an array of them, or one object. Default '', the document itself. */
  rowsPointer?: string | undefined
  /** A value to return beside the rows, or the first of several that there is. */
  capturePointer?: string | readonly string[] | undefined
}

/**
 * Finds the array of rows in a JSON document of any size and keeps no more of it than one row. The text around the rows
 * must be valid JSON to its end, because a truncated document must not pass as a complete one; a malformed element of
 * the array does not affect the others.
 *
 * @throws Problem `malformed_body`, with line and character
 */
export function createJsonDocumentParser({ rowsPointer = '', capturePointer }: JsonPointers): JsonDocumentParser {
  const rowsPath = parsePointer(rowsPointer)
  const isOptional = typeof capturePointer === 'object'
  const capturePaths = [capturePointer ?? []].flat().map(parsePointer)
  const pathInRows = isOptional ? undefined : capturePaths.find((path) => isPathPrefix(rowsPath, path))
  const errorPaths = ['errors', 'error']
    .filter((name) => rowsPath.length > 0 && rowsPath[0] !== name)
    .map((name) => [name])
  let errors: string | undefined
  const rows: Row[] = []
  let hasRows = false
  let elementScanner: ElementScanner | undefined
  let captured: string | null = null

  const onValue: ValueHandler['onValue'] = (character) => {
    if (!scanner.isAt(rowsPath)) {
      if (errorPaths.some((path) => scanner.isAt(path))) return 'capture'
      if (!capturePaths.some((path) => scanner.isAt(path))) return 'enter'
      if (character !== '{' && character !== '[') return 'capture'
      if (isOptional) return 'enter'
      throw scanner.malformed(`"${capturePointer}" is neither a string nor a number`)
    }
    hasRows = true
    if (character !== '[') return 'capture'
    if (pathInRows !== undefined)
      throw scanner.malformed(`the rows are an array, which cannot contain "${capturePointer}"`)
    elementScanner = createElementScanner(scanner.line())
    return 'handOver'
  }

  const onCaptured: ValueHandler['onCaptured'] = (path, text, line) => {
    if (isSamePath(path, rowsPath)) addSingleRow(parseSingleRow(text, line))
    else if (errorPaths.some((of) => isSamePath(path, of))) errors ??= errorsOf(text)
    else if (text === undefined && !isOptional) throw scanner.malformed(`the value at "${capturePointer}" is too long`)
    else captured ??= toText(parseJson(text ?? '')?.value)
  }

  function addSingleRow(row: Row | string | undefined): void {
    if (row === undefined) return
    if (typeof row === 'string') throw scanner.malformed(`${describePointer(rowsPointer)} is ${row}`)
    rows.push(row)
    if (pathInRows !== undefined && 'value' in row)
      captured = toText(valueAt(row.value, pathInRows.slice(rowsPath.length)))
  }

  const scanner = createJsonScanner({ onValue, onCaptured })

  function scanElements(array: ElementScanner, text: string, start: number): number {
    const { elements, end } = array.scan(text, start)
    for (const element of elements) rows.push(parseElement(element))
    scanner.advance((end ?? text.length) - start, array.line())
    if (end !== undefined) elementScanner = undefined
    return end ?? text.length
  }

  return {
    write(text) {
      for (let at = 0; at < text.length; )
        at = elementScanner === undefined ? scanner.scan(text, at) : scanElements(elementScanner, text, at)
      return rows.splice(0)
    },
    end() {
      if (elementScanner !== undefined) throw scanner.malformed(truncationReason(elementScanner))
      scanner.end()
      if (!hasRows) throw problem('malformed_body', { detail: `There is nothing at ${describePointer(rowsPointer)}` })
      return rows.splice(0)
    },
    captured: () => captured,
    errors: () => errors,
  }
}

/** Returns what a member lists that is too large to keep, or neither empty nor false. */
const errorsOf = (text = '…'): string | undefined =>
  /^(?:null|false|0|""|\[\s*\]|\{\s*\})$/.test(text.trim()) ? undefined : text.slice(0, maxErrorLength)
const maxErrorLength = 200

/** Parses the value at the rows pointer that is no array. Returns undefined for null, a string if it is malformed. */
function parseSingleRow(text: string | undefined, line: number): Row | string | undefined {
  if (text === undefined) return { line, reason: rowTooLarge }
  const value = parseJson(text)?.value
  if (value === undefined) return 'not valid JSON'
  if (value === null) return undefined
  if (!isJsonObject(value)) return 'neither an array nor an object'
  const reason = faultOfRow(text, value)
  return reason === undefined ? { line, value } : { line, reason }
}

function truncationReason(array: ElementScanner): string {
  const element = array.open()
  return element === undefined
    ? 'the document ends within the array of rows'
    : `the document ends within element ${element.number}, which begins on line ${element.line}`
}

const describePointer = (pointer: string): string => (pointer === '' ? 'the document' : `"${pointer}"`)

function toText(value: unknown): string | null {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && value !== '' ? value : null
}

/** The reason of a row that is not valid JSON. */
export const invalidJson = 'is not valid JSON'
/** Parses an array element into a row; its reason names the element number, as a line may hold many elements. */
export function parseElement({ line, number, source }: ArrayElement): Row {
  const invalid = (reason: string): Row => ({ line, reason: `element ${number}: ${reason}` })
  if (source === undefined) return invalid(rowTooLarge)
  // Only objects are parsed: an exception for each of a million commas would take longer than all other work.
  const start = /^\s*(?:(\{)|([["\d-]|true\b|false\b|null\b))?/.exec(source)
  if (start?.[1] === undefined) return invalid(start?.[2] === undefined ? invalidJson : 'is not a JSON object')
  const parsed = parseJson(source)
  if (parsed === undefined) return invalid(invalidJson)
  if (!isJsonObject(parsed.value)) return invalid('is not a JSON object')
  const reason = faultOfRow(source, parsed.value)
  return reason === undefined ? { line, element: number, value: parsed.value } : invalid(reason)
}

/** Returns the reference tokens of a JSON Pointer (RFC 6901, section 4). */
const parsePointer = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'))

const isSamePath = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && isPathPrefix(one, other)

const isPathPrefix = (prefix: readonly string[], path: readonly string[]): boolean =>
  prefix.every((token, index) => token === path[index])

/** Returns the value at `path` within `value`, undefined if there is none. */
function valueAt(value: unknown, path: readonly string[]): unknown {
  let found: unknown = value
  for (const token of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, token)) return undefined
    found = (found as Record<string, unknown>)[token] // it has this member
  }
  return found
}
