import { type Row, rowTooLarge } from '../row.ts'
import type { ArrayElement } from './element-scanner.ts'
import { isJsonObject, parseJson } from './parse-json.ts'

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
  return isJsonObject(parsed.value) ? { line, element: number, value: parsed.value } : invalid('is not a JSON object')
}
