import { describe, expect, it } from '@jest/globals'
import { mergePatch } from '../../../../web/src/ui/form/merge-patch.ts'
import {
  appendPointer,
  type JsonSchema,
  kindOf,
  labelOf,
  resolveReference,
  validateBySchema,
} from '../../../../web/src/ui/schema-form/json-schema.ts'

const schema: JsonSchema = {
  type: 'object',
  properties: {
    host: { type: 'string', minLength: 1, maxLength: 5 },
    port: { type: 'integer', minimum: 1, maximum: 10 },
    paging: { $ref: '#/$defs/Paging' },
    headers: {
      type: 'object',
      propertyNames: { type: 'string', pattern: '^[A-Z]+$' },
      additionalProperties: { type: 'string', minLength: 1 },
    },
  },
  required: ['host'],
  $defs: {
    Paging: {
      oneOf: [
        { type: 'object', properties: { type: { const: 'link' } }, required: ['type'] },
        {
          type: 'object',
          properties: { type: { const: 'cursor' }, path: { type: 'string' } },
          required: ['type', 'path'],
        },
      ],
    },
  },
}
const problems = (value: unknown) => Object.fromEntries(validateBySchema(schema, value))

describe('validateBySchema', () => {
  it('accepts a valid value', () => {
    expect(problems({ host: 'a', port: 3, paging: { type: 'link' }, headers: { A: 'b' } })).toEqual({})
  })

  it('reports a missing member', () => expect(problems({})).toEqual({ '/host': 'is required' }))

  it('reports lengths, numbers and names by pointer', () => {
    expect(problems({ host: 'abcdef', port: 1.5, headers: { a: 'b', B: '' } })).toEqual({
      '/host': 'must have at most 5 characters',
      '/port': 'must be a whole number',
      '/headers/a': 'The name must match ^[A-Z]+$',
      '/headers/B': 'is required',
    })
  })

  it('validates the variant that the type names', () => {
    expect(problems({ host: 'a', paging: { type: 'cursor' } })).toEqual({ '/paging/path': 'is required' })
    expect(problems({ host: 'a', paging: { type: 'other' } })).toEqual({ '/paging/type': 'is required' })
  })

  it('reports text that is not a number', () => {
    expect(problems({ host: 'a', port: Number.NaN })).toEqual({ '/port': 'must be a number' })
  })
})

describe('kindOf', () => {
  it.each([
    [{ type: 'string', enum: ['a'] }, 'choice'],
    [{ type: 'array', items: { type: 'string' } }, 'list'],
    [{ type: 'object', additionalProperties: { type: 'string' } }, 'map'],
    [{ type: 'object', properties: {} }, 'group'],
    [{ type: 'array', items: { type: 'object' } }, 'json'],
  ] as const)('returns the control of %j', (value, kind) => expect(kindOf(value)).toBe(kind))

  it('tells variants apart by their type', () => {
    expect(kindOf(resolveReference({ $ref: '#/$defs/Paging' }, schema))).toBe('variants')
  })
})

describe('labelOf', () => {
  it.each([
    ['base_url', 'Base URL'],
    ['api_key', 'API key'],
    ['rows_path', 'Rows path'],
  ])('names %s', (name, label) => expect(labelOf(name)).toBe(label))
})

describe('appendPointer', () => {
  it('escapes a name (RFC 6901)', () => expect(appendPointer('/headers', 'a/b~c')).toBe('/headers/a~1b~0c'))
})

describe('mergePatch', () => {
  it('states only what differs, with null for what is gone', () => {
    expect(mergePatch({ a: 1, b: 2, c: [1], d: 4 }, { a: 1, b: 3, c: [2] })).toEqual({ b: 3, c: [2], d: null })
  })

  it('patches nested objects member by member', () => {
    expect(mergePatch({ headers: { a: '1', b: '2' } }, { headers: { b: '3' } })).toEqual({
      headers: { a: null, b: '3' },
    })
  })
})
