import type { Element } from './json-elements.ts'
import { isObject, parseJson } from './parse-json.ts'
import { type Row, tooLong } from './row.ts'

export const notJson = 'is not valid JSON'

/** What an element of an array says as a row. */
export function rowOfElement({ line, place, source }: Element): Row {
  if (source === undefined) return { line, reason: `element ${place}: ${tooLong}` }
  const parsed = parseJson(source)
  if (parsed === undefined) return { line, reason: `element ${place}: ${notJson}` }
  if (!isObject(parsed.value)) return { line, reason: `element ${place}: is not a JSON object` }
  return { line, element: place, value: parsed.value }
}
