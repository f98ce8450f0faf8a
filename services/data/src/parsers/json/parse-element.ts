import { type Row, rowTooLarge } from '../row.ts'
import type { ArrayElement } from './element-scanner.ts'
import { isJsonObject, parseJson } from './parse-json.ts'

export const invalidJson = 'is not valid JSON'

/** What an element of an array says as a row. */
export function parseElement({ line, number, source }: ArrayElement): Row {
  if (source === undefined) return { line, reason: `element ${number}: ${rowTooLarge}` }
  // What is plainly no object is not parsed: an error for each of a million commas would take longer than the rest.
  const start = /^\s*(?:(\{)|([["\d-]|true\b|false\b|null\b))?/.exec(source)
  if (start?.[1] === undefined)
    return { line, reason: `element ${number}: ${start?.[2] === undefined ? invalidJson : 'is not a JSON object'}` }
  const parsed = parseJson(source)
  if (parsed === undefined) return { line, reason: `element ${number}: ${invalidJson}` }
  if (!isJsonObject(parsed.value)) return { line, reason: `element ${number}: is not a JSON object` }
  return { line, element: number, value: parsed.value }
}
