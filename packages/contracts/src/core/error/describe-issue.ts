import type { z } from 'zod'
import { nearestName } from './nearest-name.ts'

/** An issue of zod before it has a message. */
type Issue = z.core.$ZodRawIssue

/** Options listed in a message. */
const maxListedOptions = 40
/** Unknown fields for which a known name is looked for. */
const maxSuggestions = 10

/**
 * Returns the message of a validation issue: a predicate that follows the name of the field, such as "must be at least
 * 1". Covers every issue kind of zod; to be given to zod as `error`, which leaves messages of the schema itself in
 * place. Of unknown fields it returns a line for each.
 */
export function describeIssue(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return describeType(issue)
    case 'too_small':
      return describeBound(issue, issue.minimum, issue.inclusive === false ? 'more than' : 'at least')
    case 'too_big':
      return describeBound(issue, issue.maximum, issue.inclusive === false ? 'less than' : 'at most')
    case 'invalid_format':
      return describeFormat(issue)
    case 'not_multiple_of':
      return issue.divisor === 1 ? 'must be a whole number' : `must be a multiple of ${issue.divisor}`
    case 'unrecognized_keys':
      return describeUnknownFields(issue.keys, issue.inst)
    case 'invalid_union':
      return describeUnion(issue)
    case 'invalid_key':
      return `the name ${issue.issues[0]?.message ?? 'is not valid'}`
    case 'invalid_element':
      return `has an element that ${issue.issues[0]?.message ?? 'is not valid'}`
    case 'invalid_value':
      return describeValue(issue)
    case 'custom':
      return 'is not valid'
    default:
      issue satisfies never // a new issue kind of zod
      return 'is not valid'
  }
}

const typeNames: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  bigint: 'a whole number',
  boolean: 'true or false',
  array: 'an array',
  tuple: 'an array',
  set: 'a set',
  object: 'an object',
  record: 'an object',
  map: 'a map',
  null: 'null',
  nan: 'not a number',
  date: 'a time',
  file: 'a file',
  function: 'a function',
  symbol: 'a symbol',
}

function describeType({ expected, input }: Extract<Issue, { code: 'invalid_type' }>): string {
  if (expected === 'never' || expected === 'undefined' || expected === 'void') return 'must not be given'
  if (input === undefined || expected === 'nonoptional') return 'is required'
  if (typeof input === 'number' && !Number.isFinite(input) && !Number.isNaN(input)) return 'must be a finite number'
  return `must be ${typeNames[expected] ?? expected}`
}

const units: Record<string, string> = {
  string: 'character',
  array: 'element',
  set: 'element',
  map: 'member',
  object: 'member',
  record: 'member',
  file: 'byte',
}

function describeBound(
  { origin, exact, code }: Extract<Issue, { code: 'too_small' | 'too_big' }>,
  bound: number | bigint,
  relation: string,
): string {
  const unit = units[origin]
  if (unit !== undefined) {
    if (code === 'too_small' && Number(bound) === 1 && exact !== true && relation === 'at least')
      return 'must not be empty'
    return `must have ${exact === true ? 'exactly' : relation} ${bound} ${unit}${Number(bound) === 1 ? '' : 's'}`
  }
  if (origin !== 'date') return `must be ${exact === true ? 'exactly' : relation} ${bound}`
  return `must be ${code === 'too_small' ? 'at or after' : 'at or before'} ${new Date(Number(bound)).toISOString()}`
}

type Format = z.core.$ZodStringFormats
const formats: Record<Exclude<Format, 'regex' | 'starts_with' | 'ends_with' | 'includes'>, string> = {
  email: 'a mail address',
  url: 'a URL such as https://example.com/path',
  emoji: 'an emoji',
  uuid: 'a UUID',
  guid: 'a UUID',
  nanoid: 'a Nano ID',
  cuid: 'a CUID',
  cuid2: 'a CUID2',
  ulid: 'a ULID',
  xid: 'an XID',
  ksuid: 'a KSUID',
  datetime: 'an RFC 3339 time such as 2026-01-05T09:30:00.000Z',
  date: 'a date such as 2026-01-05',
  time: 'a time of day such as 09:30:00',
  duration: 'an ISO 8601 duration such as PT15M',
  ipv4: 'an IPv4 address',
  ipv6: 'an IPv6 address',
  cidrv4: 'an IPv4 network such as 192.0.2.0/24',
  cidrv6: 'an IPv6 network such as 2001:db8::/32',
  base64: 'Base64',
  base64url: 'Base64 with the URL alphabet',
  json_string: 'a JSON text',
  e164: 'a telephone number such as +4930123456',
  credit_card: 'a card number',
  iban: 'an IBAN',
  lowercase: 'in lower case',
  uppercase: 'in upper case',
  jwt: 'a JWT',
}

function describeFormat(issue: Extract<Issue, { code: 'invalid_format' }>): string {
  const { format } = issue
  if (format === 'starts_with') return `must start with ${JSON.stringify(issue.prefix)}`
  if (format === 'ends_with') return `must end with ${JSON.stringify(issue.suffix)}`
  if (format === 'includes') return `must contain ${JSON.stringify(issue.includes)}`
  if (format === 'regex') return `must match the pattern ${issue.pattern}`
  const name: string | undefined = Object.hasOwn(formats, format) ? formats[format as keyof typeof formats] : undefined // checked
  return name === undefined ? 'does not have the required format' : `must be ${name}`
}

/** Beginning of the message about an unknown field. */
export const unknownField = 'is not a known field'

function describeUnknownFields(keys: readonly string[], schema: unknown): string {
  const known = fieldsOf(schema)
  return keys
    .map((key, position) => {
      const nearest = position < maxSuggestions ? nearestName(key, known) : undefined
      return nearest === undefined ? unknownField : `${unknownField}; did you mean ${nearest}?`
    })
    .join('\n')
}

/** Returns the names of the fields of an object schema; none of any other schema. */
function fieldsOf(schema: unknown): string[] {
  const { def } = (schema as Partial<z.core.$ZodType> | undefined)?._zod ?? {} // an issue names the schema it is about
  return def !== undefined && 'shape' in def ? Object.keys(def.shape as object) : [] // the shape of a zod object is an object
}

function describeUnion(issue: Extract<Issue, { code: 'invalid_union' }>): string {
  if (issue.input === undefined) return 'is required'
  if ('inclusive' in issue && issue.inclusive === false) return 'must match only one of the allowed forms'
  if ('options' in issue && issue.options !== undefined) {
    const { input, discriminator = '' } = issue
    const given: unknown = typeof input === 'object' && input !== null ? Reflect.get(input, discriminator) : undefined
    return given === undefined
      ? `is required and ${oneOf(issue.options)}`
      : oneOf(issue.options) + suggestion(given, issue.options)
  }
  const outer = issue.errors.flatMap((issues) => issues.filter(({ path }) => path.length === 0).slice(0, 1))
  const values = outer.flatMap((inner) => (inner.code === 'invalid_value' ? inner.values : []))
  const others = outer.filter(({ code }) => code !== 'invalid_value').map(({ message }) => message)
  const messages = [...new Set([...(values.length > 0 ? [oneOf(values)] : []), ...others])]
  return joinPredicates(messages)
}

/**
 * Joins predicates: "must be a string", "must be a number", "must be null" become "must be a string, a number or null".
 */
function joinPredicates(messages: readonly string[]): string {
  const [first, ...rest] = messages
  if (first === undefined) return 'does not have an allowed form'
  const alternatives = [first, ...rest.map((message) => message.replace(/^must be /, ''))]
  const last = alternatives.pop() ?? ''
  return alternatives.length === 0 ? last : `${alternatives.join(', ')} or ${last}`
}

/** Shorter texts resemble too many options. */
const minSuggestionLength = 3

function describeValue({ values, input }: Extract<Issue, { code: 'invalid_value' }>): string {
  if (input === undefined) return `is required and ${oneOf(values)}`
  return oneOf(values) + suggestion(input, values)
}

/** Returns the question for the option that a misspelt value most probably means; empty if there is none. */
function suggestion(given: unknown, values: readonly unknown[]): string {
  const nearest = nearestOption(given, values)
  return nearest === undefined ? '' : `; did you mean ${nearest}?`
}

/** Returns the option that a misspelt value most probably means. */
export function nearestOption(given: unknown, values: readonly unknown[]): string | undefined {
  if (typeof given !== 'string' || given.length < minSuggestionLength) return undefined
  return nearestName(
    given,
    values.filter((value) => typeof value === 'string'),
  )
}

function oneOf(values: readonly unknown[]): string {
  const distinct = [...new Set(values.map(String))]
  const listed = distinct.slice(0, maxListedOptions).join(', ')
  if (distinct.length === 1) return `must be ${listed}`
  return `must be one of ${listed}${distinct.length > maxListedOptions ? ', …' : ''}`
}
