import { parseJson } from '../../parsers/json/parse-json.ts'
import { parseArray } from './parse-array.ts'

/**
 * Converts the text of a value to JSON, by its type. Nothing is lost: a value that JSON or a double cannot hold keeps
 * the text PostgreSQL writes for it.
 *
 * | type | becomes |
 * |---|---|
 * | boolean | true, false |
 * | smallint, integer, oid | number |
 * | bigint, numeric | number; beyond what a double holds exactly (±2^53, 15 digits, about 10^±300), `NaN` and `Infinity`: text |
 * | real, double precision | number; `NaN`, `Infinity`, `-Infinity`: text |
 * | json, jsonb | the JSON, whose long numbers are text |
 * | bytea | text, base64 |
 * | date | text, `2026-03-29` |
 * | timestamp | text, `2026-03-29T01:30:00.000001`, without a zone |
 * | timestamp with time zone | text in UTC, `2026-03-29T01:30:00.000001Z` |
 * | dates and times before 1 or after 9999, `infinity` | PostgreSQL's text |
 * | interval | text, ISO 8601: `P1DT2H` |
 * | arrays | arrays of what their elements become; dimensions are nested, lower bounds left out |
 * | all others (text, uuid, time, enum, money, inet, xml, ranges, composites, …) | PostgreSQL's text |
 * | NULL | null |
 */
export type ValueParser = (text: string) => unknown

/** By the OID of the type (pg_type.dat); a domain has that of its base type. */
const parsersByType: Readonly<Record<number, ValueParser>> = {
  16: (text) => text === 't',
  17: hexToBase64,
  20: parseNumberExact,
  21: Number,
  23: Number,
  26: Number,
  114: parseJsonOrText,
  700: parseFloatExact,
  701: parseFloatExact,
  1114: parseTimestamp,
  1184: parseTimestamp,
  1700: parseNumberExact,
  3802: parseJsonOrText,
}

/** An array type, as the server describes it. */
export interface ArrayType {
  oid: number
  element: number
  delimiter: string
}

/** Well-known types that keep their text and need no lookup: text types, date, time, interval, uuid, … */
const textTypes = new Set([18, 19, 25, 142, 790, 1042, 1043, 1082, 1083, 1186, 1266, 1560, 1562, 2950])

/** Returns true if the type must be looked up on the server. */
export const needsTypeLookup = (type: number): boolean => parsersByType[type] === undefined && !textTypes.has(type)

/** Returns the parser for the values of a type. */
export function valueParserFor(type: number, arrays: ReadonlyMap<number, ArrayType>): ValueParser {
  const array = arrays.get(type)
  if (array === undefined) return parsersByType[type] ?? ((text) => text)
  const element = parsersByType[array.element] ?? ((text) => text)
  return (text) => parseArray(text, array.delimiter, element) ?? text
}

const maxNumberLength = 330

function parseNumberExact(text: string): number | string {
  // Longer than the text of any double.
  if (text.length > maxNumberLength) return text
  const value = Number(text)
  if (!text.includes('.')) return Number.isSafeInteger(value) ? value : text
  const digits = text.replace(/^-?[0.]*|\.|0+$/g, '').length
  const isInRange = value === 0 ? digits === 0 : Math.abs(value) > 1e-300 && Math.abs(value) < 1e300
  return digits <= 15 && isInRange ? value : text
}

function parseFloatExact(text: string): number | string {
  const value = Number(text)
  return Number.isFinite(value) ? value : text
}

function parseJsonOrText(text: string): unknown {
  const parsed = parseJson(text)
  return parsed === undefined ? text : parsed.value
}

/** Converts bytea in hex format, which the session sets, to base64. */
function hexToBase64(text: string): string {
  return text.startsWith('\\x') ? Buffer.from(text.slice(2), 'hex').toString('base64') : text
}

function parseTimestamp(text: string): string {
  const [, day, time, zone = ''] =
    /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d(?:\.\d+)?)([+-]\d\d(?::\d\d)*)?$/.exec(text) ?? []
  return day === undefined ? text : `${day}T${time}${zone === '+00' ? 'Z' : zone}`
}
