import type { FieldError } from '@wp/contracts'
import type { ErrorObject } from './compile-schema.ts'

/** Options listed in a message. */
const maxListedOptions = 40
const maxListedCharacters = 500

const typeNames: Readonly<Record<string, string>> = {
  ...{ string: 'a string', number: 'a number', integer: 'a whole number', boolean: 'true or false' },
  ...{ array: 'an array', object: 'an object', null: 'null' },
}

const formatNames: Readonly<Record<string, string>> = {
  'date-time': 'an RFC 3339 time such as 2026-01-05T09:30:00Z',
  date: 'a date such as 2026-01-05',
  time: 'a time of day such as 09:30:00',
  email: 'a mail address',
  uri: 'a URL such as https://example.com/path',
  uuid: 'a UUID',
  ipv4: 'an IPv4 address',
  ipv6: 'an IPv6 address',
}

/** Returns the error of a value that does not match a schema, in the words of the platform. @param root pointer of the value */
export function describeError(error: ErrorObject, root: string): FieldError {
  const { keyword, instancePath } = error
  const at = (name?: unknown) =>
    `${root}${instancePath}${name === undefined ? '' : `/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`}`
  const { missingProperty, additionalProperty, unevaluatedProperty, propertyName } = error.params
  if (keyword === 'required') return { pointer: at(missingProperty), detail: 'is required' }
  if (keyword === 'dependentRequired')
    return { pointer: at(missingProperty), detail: `is required together with ${error.params.property}` }
  if (keyword === 'additionalProperties' || keyword === 'unevaluatedProperties')
    return { pointer: at(additionalProperty ?? unevaluatedProperty), detail: 'is not a known field' }
  if (keyword === 'propertyNames') return { pointer: at(propertyName), detail: 'has a name that is not allowed' }
  return { pointer: at(), detail: describeValue(error) }
}

function describeValue({ keyword, params, schema }: ErrorObject): string {
  const limit = Number(params.limit)
  switch (keyword) {
    case 'type':
      return `must be ${[schema].flat().map(nameOfType).join(' or ')}`
    case 'enum':
      return describeOptions(Array.isArray(schema) ? schema : [])
    case 'const':
      return describeOptions([schema])
    case 'format':
      return `must be ${formatNames[String(schema)] ?? 'in the required format'}`
    case 'minimum':
      return `must be at least ${limit}`
    case 'maximum':
      return `must be at most ${limit}`
    case 'exclusiveMinimum':
      return `must be more than ${limit}`
    case 'exclusiveMaximum':
      return `must be less than ${limit}`
    case 'multipleOf':
      return `must be a multiple of ${params.multipleOf}`
    case 'minLength':
      return `must have at least ${counted(limit, 'character')}`
    case 'maxLength':
      return `must have at most ${counted(limit, 'character')}`
    case 'minItems':
      return `must have at least ${counted(limit, 'element')}`
    case 'maxItems':
    case 'items':
    case 'unevaluatedItems':
      return params.limit === undefined && params.len === undefined
        ? 'has an element that is not allowed'
        : `must have at most ${counted(Number(params.limit ?? params.len), 'element')}`
    case 'uniqueItems':
      return 'must not have equal elements'
    case 'contains':
      return 'does not have the required elements'
    case 'minProperties':
      return `must have at least ${counted(limit, 'member')}`
    case 'maxProperties':
      return `must have at most ${counted(limit, 'member')}`
    case 'false schema':
      return 'must not be given'
    default:
      return 'does not match the schema'
  }
}

const nameOfType = (type: unknown): string => typeNames[String(type)] ?? String(type)

const counted = (count: number, unit: string): string => `${count} ${unit}${count === 1 ? '' : 's'}`

function describeOptions(values: readonly unknown[]): string {
  const listed = values
    .slice(0, maxListedOptions)
    .map((value) => (typeof value === 'string' ? value : JSON.stringify(value)))
  const text = listed.join(', ').slice(0, maxListedCharacters)
  const isShortened = values.length > listed.length || text.length === maxListedCharacters
  return `must be ${values.length === 1 ? '' : 'one of '}${text}${isShortened ? ', …' : ''}`
}
