import type { Element } from './json-elements.ts'
import { isObject, parseJson } from './parse-json.ts'
import { type Row, tooLong } from './row.ts'

export const notJson = 'is not valid JSON'

/** What an element of an array says as a row. */
export function rowOfElement({ line, place, source }: Element): Row {
  if (source === undefined) return { line, reason: `element ${place}: ${tooLong}` }
  // What is plainly no object is not parsed: an error for each of a million commas would take longer than the rest.
  const start = /^\s*(?:(\{)|([["\d-]|true\b|false\b|null\b))?/.exec(source)
  if (start?.[1] === undefined)
    return { line, reason: `element ${place}: ${start?.[2] === undefined ? notJson : 'is not a JSON object'}` }
  const parsed = parseJson(source)
  if (parsed === undefined) return { line, reason: `element ${place}: ${notJson}` }
  if (!isObject(parsed.value)) return { line, reason: `element ${place}: is not a JSON object` }
  return { line, element: place, value: parsed.value }
}
