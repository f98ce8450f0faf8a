import { describe, expect, it } from '@jest/globals'
import { Problem } from '@wp/contracts'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { checkInputSchema, validateInput } from '../../src/agents/input-schema/input-schema.ts'
import { matchSchema } from '../../src/agents/input-schema/match-schema.ts'

type Schema = Record<string, unknown>

/** Returns pointer and detail of the first error; undefined if there is none. */
function faultOf(check: () => void) {
  try {
    check()
    return undefined
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return [error.errors[0]?.pointer, error.errors[0]?.detail]
  }
}
const object = (properties: Schema, more: Schema = {}): Schema => ({ type: 'object', properties, ...more })
const checked = (schema: Schema) => faultOf(() => checkInputSchema(schema))
const validated = (schema: Schema, input: unknown) => {
  checkInputSchema(schema)
  return faultOf(() => validateInput(schema, input))
}

/** Definitions each of which references the next one ten times: together 10^levels schemas. */
const growing = (levels: number): Schema => ({
  type: 'object',
  $defs: {
    ...Object.fromEntries(
      Array.from({ length: levels }, (_, n) => [`d${n}`, { allOf: Array(10).fill({ $ref: `#/$defs/d${n + 1}` }) }]),
    ),
    [`d${levels}`]: { type: 'object' },
  },
  $ref: '#/$defs/d0',
})

const nested = (depth: number): Schema =>
  Array.from({ length: depth }).reduce<Schema>((inner) => ({ type: 'object', properties: { a: inner } }), {
    type: 'object',
  })

describe('an input schema', () => {
  it.each([
    [
      'of properties',
      object({ a: { type: 'string', minLength: 1 } }, { required: ['a'], additionalProperties: false }),
    ],
    ['with the dialect', { $schema: 'https://json-schema.org/draft/2020-12/schema', ...object({}) }],
    ['with definitions', { ...object({ a: { $ref: '#/$defs/b' } }), $defs: { b: { enum: [1, 2] } } }],
    ['with a definition whose name is escaped', { ...object({ a: { $ref: '#/$defs/a~1b' } }), $defs: { 'a/b': true } }],
    ['with alternatives', object({}, { anyOf: [{ required: ['a'] }, { not: { required: ['b'] } }] })],
    ['with boolean schemas', object({ a: true, b: false })],
    ['with an unknown format', object({ a: { type: 'string', format: 'iso-week' } })],
    ['with a member named like a keyword', object({ pattern: { type: 'string' }, $ref: { type: 'string' } })],
  ])('%s is accepted', (_what, schema) => {
    expect(checked(schema)).toBeUndefined()
  })

  it.each<[string, Schema, string, RegExp]>([
    ['not of an object', { type: 'array' }, '/type', /must be object/],
    ['without a type', { properties: {} }, '/type', /must be object/],
    [
      'of another dialect',
      { ...object({}), $schema: 'http://json-schema.org/draft-07/schema#' },
      '/$schema',
      /2020-12/,
    ],
    ['with a pattern', object({ a: { type: 'string', pattern: '(a+)+$' } }), '/properties/a/pattern', /unlimited time/],
    ['with patterns of names', object({}, { patternProperties: { '(a+)+$': {} } }), '/patternProperties', /unlimited/],
    ['with a pattern of names', object({}, { propertyNames: { pattern: 'a' } }), '/propertyNames/pattern', /unlimited/],
    ['with a remote reference', object({ a: { $ref: 'https://example.com/a' } }), '/properties/a/$ref', /\$defs/],
    ['with a reference to itself', object({ a: { $ref: '#' } }), '/properties/a/$ref', /\$defs/],
    ['with an unknown definition', object({ a: { $ref: '#/$defs/b' } }), '/properties/a/$ref', /\$defs/],
    [
      'with an inherited name',
      object({ a: { $ref: '#/$defs/toString' } }, { $defs: {} }),
      '/properties/a/$ref',
      /\$defs/,
    ],
    ['with an identifier', object({ a: { $id: 'x' } }), '/properties/a/$id', /not supported/],
    [
      'that is recursive',
      { ...object({ a: { $ref: '#/$defs/b' } }), $defs: { b: object({ c: { $ref: '#/$defs/b' } }) } },
      '/properties/a/$ref/properties/c/$ref',
      /recursive/,
    ],
    ['with a misspelt keyword', object({ a: { typ: 'string' } }), '/properties/a/typ', /did you mean type/],
    ['with an unknown type', object({ a: { type: 'text' } }), '/properties/a/type', /not valid/],
    ['with a keyword of another type', object({ a: { minLength: 'x' } }), '/properties/a/minLength', /not valid/],
    ['that nests too deep', nested(40), '', /deeper than 32/],
    ['that is too large', object({ a: { enum: ['x'.repeat(40_000)] } }), '', /at most 32768 characters/],
    ['whose references multiply', growing(8), '', /references replaced/],
  ])('%s is rejected', (_what, schema, pointer, detail) => {
    const [at, message] = checked(schema) ?? []
    if (pointer === '') expect(at).toMatch(/^\/input_schema/)
    else expect(at).toBe(`/input_schema${pointer}`)
    expect(message).toMatch(detail)
  })
})

describe('the input of a run', () => {
  it('is accepted when the agent has no schema', () => {
    expect(faultOf(() => validateInput(null, 'a question'))).toBeUndefined()
    expect(faultOf(() => validateInput(null, { any: 'thing' }))).toBeUndefined()
  })

  const text = { type: 'string' }
  it.each<[string, Schema, unknown, string, string]>([
    ['is text', object({}), 'a question', '', 'must be an object that matches the input_schema of the agent'],
    ['lacks a field', object({ a: text }, { required: ['a'] }), {}, '/a', 'is required'],
    ['lacks a field that objects inherit', object({}, { required: ['toString'] }), {}, '/toString', 'is required'],
    [
      'has an unknown field',
      object({}, { additionalProperties: false }),
      { 'a/b': 1 },
      '/a~1b',
      'is not a known field',
    ],
    ['has another type', object({ a: { type: ['string', 'null'] } }), { a: 1 }, '/a', 'must be a string or null'],
    ['has a fraction', object({ a: { type: 'integer' } }), { a: 1.5 }, '/a', 'must be a whole number'],
    ['is no option', object({ a: { enum: ['x', 'y'] } }), { a: 'z' }, '/a', 'must be one of x, y'],
    ['is not the constant', object({ a: { const: 5 } }), { a: 6 }, '/a', 'must be 5'],
    ['is too small', object({ a: { minimum: 3 } }), { a: 2 }, '/a', 'must be at least 3'],
    ['is too long', object({ a: { maxLength: 1 } }), { a: 'xy' }, '/a', 'must have at most 1 character'],
    [
      'is in no date format',
      object({ a: { format: 'date' } }),
      { a: 'today' },
      '/a',
      'must be a date such as 2026-01-05',
    ],
    [
      'repeats an element',
      object({ a: { uniqueItems: true } }),
      {
        a: [
          { x: 1, y: 2 },
          { y: 2, x: 1 },
        ],
      },
      '/a',
      'must not have equal elements',
    ],
    [
      'has too many elements',
      object({ a: { prefixItems: [text], items: false } }),
      { a: ['x', 'y'] },
      '/a',
      'must have at most 1 element',
    ],
    [
      'is wrong deep inside',
      object({ a: { type: 'array', items: object({ b: text }) } }),
      { a: [{ b: 'x' }, { b: 1 }] },
      '/a/1/b',
      'must be a string',
    ],
    ['must not be given', object({ a: false }), { a: 1 }, '/a', 'must not be given'],
    [
      'matches no alternative',
      object({ a: { anyOf: [text, { type: 'null' }] } }),
      { a: 1 },
      '/a',
      'does not have an allowed form',
    ],
  ])('is rejected when it %s', (_what, schema, input, pointer, detail) => {
    expect(validated(schema, input)).toEqual([`/input${pointer}`, detail])
  })

  it('is accepted when it matches', () => {
    const schema = {
      ...object(
        { at: { format: 'date-time' }, who: { format: 'email' }, n: { $ref: '#/$defs/n' } },
        { required: ['n'] },
      ),
      $defs: { n: { type: 'integer', minimum: 0 } },
    }
    expect(
      validated(schema, { at: '2026-01-05T09:30:00+01:00', who: 'a@example.com', n: 0, more: [1] }),
    ).toBeUndefined()
  })

  it('is rejected with every field that does not match', () => {
    const schema = object({ a: text, b: text }, { required: ['c'] })
    try {
      validateInput(schema, { a: 1, b: 2 })
    } catch (error) {
      expect((error as Problem).errors.map(({ pointer }) => pointer)).toEqual(['/input/c', '/input/a', '/input/b'])
    }
    expect.assertions(1)
  })

  it('is rejected when its comparison would take too many steps', () => {
    const many = (schema: Schema) => object({ a: { allOf: Array(900).fill(schema) } })
    for (const [schema, input] of [
      [many({ items: { type: 'number' } }), { a: Array(4_000).fill(0) }],
      [many({ minLength: 1 }), { a: 'x'.repeat(90_000) }],
      [many({ uniqueItems: true }), { a: Array.from({ length: 2_000 }, (_, n) => ({ n })) }],
      [
        object({ a: { items: { not: { enum: Array.from({ length: 3_000 }, (_, n) => n) } } } }),
        { a: Array(4_000).fill(-1) },
      ],
    ] as const)
      expect(validated(schema, input)?.[1]).toMatch(/takes too long/)
  })
})

describe('the evaluation of a schema', () => {
  const schemas: Schema[] = [
    { type: 'integer' },
    { type: ['string', 'null'] },
    { const: { b: 1, a: [2] } },
    { enum: ['x', 1, null, [1]] },
    { minimum: 1, exclusiveMaximum: 3 },
    { exclusiveMinimum: 1, maximum: 2 },
    { multipleOf: 0.5 },
    { minLength: 2, maxLength: 2 },
    { minItems: 1, maxItems: 2 },
    { uniqueItems: true },
    { prefixItems: [{ type: 'number' }], items: { type: 'string' } },
    { prefixItems: [true], items: false },
    { contains: { type: 'number' }, maxContains: 1 },
    { contains: { type: 'number' }, minContains: 0 },
    { minProperties: 1, maxProperties: 1 },
    { properties: { a: { type: 'number' } }, additionalProperties: false },
    { additionalProperties: { type: 'string' } },
    { required: ['a', 'hasOwnProperty'] },
    { propertyNames: { maxLength: 1 } },
    { dependentRequired: { a: ['b'] } },
    { dependentSchemas: { a: { required: ['b'] } } },
    { allOf: [{ minimum: 2 }, { maximum: 2 }] },
    { anyOf: [{ type: 'string' }, { minimum: 2 }] },
    { oneOf: [{ type: 'number' }, { minimum: 2 }] },
    { not: { type: 'object' } },
    // As JSON, because an object with `then` resembles a promise.
    JSON.parse('{"if":{"type":"number"},"then":{"minimum":2},"else":{"type":"string"}}'),
    { $ref: '#/$defs/a', $defs: { a: { type: 'string' } } },
    { properties: { a: false, b: true } },
  ]
  const values: unknown[] = [
    ...[null, true, 0, 1, 1.5, 2, 3, -0.5, '', 'x', 'xy', 'é😀', 'xyz'],
    ...[
      [],
      [1],
      [1, 'x'],
      ['x'],
      [1, 2],
      [1, 1],
      [[1], [1]],
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
    ],
    ...[{}, { a: 1 }, { a: 'x' }, { a: 1, b: 2 }, { b: 1 }, { ab: 'x' }, { a: [2], b: 1 }, { hasOwnProperty: 1, a: 1 }],
  ]

  it.each(schemas.map((schema) => [JSON.stringify(schema), schema] as const))(
    'agrees with Ajv about %s',
    (_, schema) => {
      const validate = new Ajv2020({ strict: false, ownProperties: true }).compile(schema)
      const accepted = (check: (value: unknown) => boolean) =>
        values.filter(check).map((value) => JSON.stringify(value))
      expect(accepted((value) => matchSchema(schema, value, 10_000).length === 0)).toEqual(accepted(validate))
    },
  )
})
