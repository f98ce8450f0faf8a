import { isDeepStrictEqual } from 'node:util'
import type { FieldError } from '@wp/contracts'
import { z } from 'zod'
import { arrayOf, counted, type Evaluation, fault, type Path, type Schema } from './evaluation.ts'

/** Characters of a text with a format; longer texts match none. */
const maxLength = 2_000

const format = (schema: z.ZodType, description: string): Format => ({
  matches: (text) => text.length <= maxLength && schema.safeParse(text).success,
  description,
})

/** The formats that are checked. Any other `format` is an annotation. */
const formats: ReadonlyMap<string, Format> = new Map([
  ['date-time', format(z.iso.datetime({ offset: true }), 'an RFC 3339 time such as 2026-01-05T09:30:00Z')],
  ['date', format(z.iso.date(), 'a date such as 2026-01-05')],
  ['time', format(z.iso.time(), 'a time of day such as 09:30:00')],
  ['email', format(z.email(), 'a mail address')],
  ['uri', format(z.url(), 'a URL such as https://example.com/path')],
  ['uuid', format(z.uuid(), 'a UUID')],
  ['ipv4', format(z.ipv4(), 'an IPv4 address')],
  ['ipv6', format(z.ipv6(), 'an IPv6 address')],
])

/** Evaluates the type of a value, and the keywords of constants, numbers and texts. */
export function matchScalar(schema: Schema, value: unknown, path: Path, evaluation: Evaluation): FieldError[] {
  const details = [
    ...(hasType(schema.type, value) ? [] : [`must be ${[schema.type].flat().map(nameOfType).join(' or ')}`]),
    ...(matchesOptions(schema, value, evaluation) ? [] : [describeOptions(optionsOf(schema))]),
    ...(typeof value === 'number' ? numberFaults(schema, value) : []),
    ...(typeof value === 'string' ? textFaults(schema, value, evaluation) : []),
  ]
  return details.slice(0, 1).map((detail) => fault(path, detail))
}

const typeNames: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  null: 'null',
}
const nameOfType = (type: unknown): string => typeNames[String(type)] ?? String(type)

const hasType = (type: unknown, value: unknown): boolean =>
  type === undefined || [type].flat().some((one) => isOfType(one, value))

function isOfType(type: unknown, value: unknown): boolean {
  if (type === 'integer') return Number.isInteger(value)
  if (type === 'null') return value === null
  if (type === 'array') return Array.isArray(value)
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value)
  return typeof value === type
}

const optionsOf = (schema: Schema): readonly unknown[] =>
  Object.hasOwn(schema, 'const') ? [schema.const] : arrayOf(schema.enum)

function matchesOptions(schema: Schema, value: unknown, evaluation: Evaluation): boolean {
  return [
    ...(Object.hasOwn(schema, 'const') ? [[schema.const]] : []),
    ...(schema.enum === undefined ? [] : [arrayOf(schema.enum)]),
  ].every((options) => {
    const isText = typeof value !== 'object' || value === null
    evaluation.spend(isText ? options.length / 10 : options.length * 10)
    return options.some((option) => (isText ? option === value : isDeepStrictEqual(option, value)))
  })
}

/** Options and characters listed in a message. */
const [maxListedOptions, maxListedCharacters] = [40, 500]

function describeOptions(values: readonly unknown[]): string {
  const listed = values
    .slice(0, maxListedOptions)
    .map((value) => (typeof value === 'string' ? value : JSON.stringify(value)))
  const text = listed.join(', ').slice(0, maxListedCharacters)
  const isShortened = values.length > listed.length || text.length === maxListedCharacters
  return `must be ${values.length === 1 ? '' : 'one of '}${text}${isShortened ? ', …' : ''}`
}

function numberFaults(schema: Schema, value: number): string[] {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema
  return [
    ...(typeof minimum === 'number' && value < minimum ? [`must be at least ${minimum}`] : []),
    ...(typeof maximum === 'number' && value > maximum ? [`must be at most ${maximum}`] : []),
    ...(typeof exclusiveMinimum === 'number' && value <= exclusiveMinimum
      ? [`must be more than ${exclusiveMinimum}`]
      : []),
    ...(typeof exclusiveMaximum === 'number' && value >= exclusiveMaximum
      ? [`must be less than ${exclusiveMaximum}`]
      : []),
    ...(typeof multipleOf === 'number' && !isMultiple(value, multipleOf)
      ? [`must be a multiple of ${multipleOf}`]
      : []),
  ]
}

/** 0.3 is a multiple of 0.1, although their quotient is 2.9999999999999996. */
function isMultiple(value: number, divisor: number): boolean {
  const quotient = value / divisor
  return Math.abs(quotient - Math.round(quotient)) <= 1e-9 * Math.max(1, Math.abs(quotient))
}

/** Characters that are counted in one step. */
const charactersPerStep = 100
/** A format takes about as long as this many steps. */
const stepsPerFormat = 10

function textFaults({ minLength, maxLength, format }: Schema, value: string, evaluation: Evaluation): string[] {
  const faults: string[] = []
  if (minLength !== undefined || maxLength !== undefined) {
    evaluation.spend(value.length / charactersPerStep)
    const length = [...value].length
    if (typeof minLength === 'number' && length < minLength)
      faults.push(`must have at least ${counted(minLength, 'character')}`)
    if (typeof maxLength === 'number' && length > maxLength)
      faults.push(`must have at most ${counted(maxLength, 'character')}`)
  }
  const checked = typeof format === 'string' ? formats.get(format) : undefined
  if (checked !== undefined) {
    evaluation.spend(stepsPerFormat)
    if (!checked.matches(value)) faults.push(`must be ${checked.description}`)
  }
  return faults
}

interface Format {
  matches(text: string): boolean
  /** Follows "must be". */
  description: string
}
