import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { z } from 'zod'
import { describeIssue, endpoints, nearestName, validateInput } from '../src/index.ts'

const detailsOf = (schema: z.ZodType, value: unknown) => {
  const result = validateInput(schema, value)
  return result.success ? [] : result.errors.map(({ pointer, detail }) => `${pointer} ${detail}`.trim())
}

describe('a union with a wrong discriminator', () => {
  const common = { type: z.string(), name: z.string(), size: z.int().default(1) }
  const Place = z.strictObject({
    place: z.discriminatedUnion('type', [
      z.strictObject({ ...common, type: z.literal('bucket'), bucket: z.string() }),
      z.strictObject({ ...common, type: z.literal('address'), url: z.url() }),
      z.strictObject({ ...common, type: z.literal('topic'), topic: z.string() }),
    ]),
    note: z.string(),
  })

  it('names every field that is wrong in all options beside the discriminator', () => {
    expect(detailsOf(Place, { place: { type: 'mail', size: 'x', url: 5, colour: 1 } })).toEqual([
      '/place/type must be one of bucket, address, topic',
      '/place/name is required',
      '/place/size must be a number',
      '/place/url must be a string',
      '/place/colour is not a known field',
      '/note is required',
    ])
  })

  it('leaves out what depends on the option', () => {
    expect(detailsOf(Place, { place: { name: 'x', bucket: 'y' }, note: '' })).toEqual([
      '/place/type is required and must be one of bucket, address, topic',
    ])
  })

  it('names the wrong fields of the option that a misspelt discriminator resembles', () => {
    expect(detailsOf(Place, { place: { type: 'bukket', name: 'x', url: 'y' }, note: '' })).toEqual([
      '/place/type must be one of bucket, address, topic; did you mean bucket?',
      '/place/bucket is required',
      '/place/url is not a known field',
    ])
  })

  it('names them within another union', () => {
    const nested = z.strictObject({ value: z.union([z.string(), Place]) })
    expect(detailsOf(nested, { value: { place: { type: 'mail' }, note: '' } })).toEqual([
      '/value/place/type must be one of bucket, address, topic',
      '/value/place/name is required',
    ])
  })
})

/** An input and its message, for every issue kind of zod. */
const examples: Record<z.core.$ZodIssueCode, [z.ZodType, unknown, string][]> = {
  invalid_type: [
    [z.strictObject({ name: z.string() }), {}, '/name is required'],
    [z.string(), 5, 'must be a string'],
    [z.string(), null, 'must be a string'],
    [z.coerce.number(), 'many', 'must be a number'],
    [z.number(), Number.POSITIVE_INFINITY, 'must be a finite number'],
    [z.int(), 1.5, 'must be a whole number'],
    [z.number().int(), 1.5, 'must be a whole number'],
    [z.bigint(), '5', 'must be a whole number'],
    [z.boolean(), 'yes', 'must be true or false'],
    [z.array(z.string()), 'a,b', 'must be an array'],
    [z.tuple([z.string()]), {}, 'must be an array'],
    [z.strictObject({}), [], 'must be an object'],
    [z.record(z.string(), z.string()), 'x', 'must be an object'],
    [z.map(z.string(), z.string()), {}, 'must be a map'],
    [z.set(z.string()), {}, 'must be a set'],
    [z.null(), 1, 'must be null'],
    [z.nan(), 1, 'must be not a number'],
    [z.date(), '2026', 'must be a time'],
    [z.never(), 1, 'must not be given'],
    [z.undefined(), 1, 'must not be given'],
    [z.void(), 1, 'must not be given'],
    [z.string().optional().nonoptional(), undefined, 'is required'],
    [z.symbol(), 1, 'must be a symbol'],
    [z.function(), 1, 'must be a function'],
    [z.file(), 1, 'must be a file'],
  ],
  too_small: [
    [
      z.union([z.union([z.string(), z.number()]), z.strictObject({ in: z.array(z.string()).min(1) })]),
      { in: [] },
      '/in must not be empty',
    ],
    [z.number().min(1), 0, 'must be at least 1'],
    [z.number().positive(), 0, 'must be more than 0'],
    [z.string().min(1), '', 'must not be empty'],
    [z.string().min(3), 'ab', 'must have at least 3 characters'],
    [z.string().length(1), '', 'must have exactly 1 character'],
    [z.array(z.int()).min(1), [], 'must not be empty'],
    [z.array(z.int()).min(2), [1], 'must have at least 2 elements'],
    [z.set(z.int()).min(2), new Set(), 'must have at least 2 elements'],
    [z.map(z.int(), z.int()).min(2), new Map(), 'must have at least 2 members'],
    [z.date().min(new Date(0)), new Date(-1), 'must be at or after 1970-01-01T00:00:00.000Z'],
    [z.bigint().min(5n), 4n, 'must be at least 5'],
    [z.file().min(2), new File([''], 'empty'), 'must have at least 2 bytes'],
  ],
  too_big: [
    [z.number().max(100), 101, 'must be at most 100'],
    [z.number().negative(), 0, 'must be less than 0'],
    [z.int(), 2 ** 60, 'must be at most 9007199254740991'],
    [z.string().max(2), 'abc', 'must have at most 2 characters'],
    [z.array(z.int()).length(1), [1, 2], 'must have exactly 1 element'],
    [z.array(z.int()).max(1), [1, 2], 'must have at most 1 element'],
    [z.date().max(new Date(0)), new Date(1), 'must be at or before 1970-01-01T00:00:00.000Z'],
  ],
  invalid_format: [
    [z.email(), 'kim', 'must be a mail address'],
    [z.url(), 'here', 'must be a URL such as https://example.com/path'],
    [z.string().regex(/^a+$/), 'b', 'must match the pattern /^a+$/'],
    [z.string().startsWith('wh_'), 'b', 'must start with "wh_"'],
    [z.string().endsWith('.csv'), 'b', 'must end with ".csv"'],
    [z.string().includes('@'), 'b', 'must contain "@"'],
    [z.iso.date(), '1.2.2026', 'must be a date such as 2026-01-05'],
    [z.stringFormat('colour', () => false), 'b', 'does not have the required format'],
  ],
  not_multiple_of: [
    [z.number().multipleOf(5), 7, 'must be a multiple of 5'],
    [z.number().multipleOf(1), 0.5, 'must be a whole number'],
  ],
  unrecognized_keys: [
    [
      z.strictObject({ data_source_id: z.string().optional() }),
      { datasource_id: 'x' },
      '/datasource_id is not a known field; did you mean data_source_id?',
    ],
    [z.strictObject({ name: z.string().optional() }), { colour: 'x' }, '/colour is not a known field'],
  ],
  invalid_union: [
    [
      z.union([0.5, 0.8, 0.9, 0.95, 0.99].map((level) => z.literal(level))),
      0.7,
      'must be one of 0.5, 0.8, 0.9, 0.95, 0.99',
    ],
    [z.union([z.string(), z.number()]), true, 'must be a string or a number'],
    [z.strictObject({ or: z.union([z.string(), z.number()]) }), {}, '/or is required'],
    [z.union([z.string(), z.strictObject({ a: z.int(), b: z.int() })]), { a: 'x', b: 2 }, '/a must be a number'],
    [z.union([z.enum(['a', 'b']), z.array(z.enum(['a', 'b']))]), ['a', 'c'], '/1 must be one of a, b'],
    [
      z.discriminatedUnion('type', [z.object({ type: z.literal('cron') }), z.object({ type: z.literal('manual') })]),
      { type: 'daily' },
      '/type must be one of cron, manual',
    ],
    [
      z.discriminatedUnion('type', [z.object({ type: z.literal('cron') }), z.object({ type: z.literal('manual') })]),
      {},
      '/type is required and must be one of cron, manual',
    ],
    [
      z.discriminatedUnion('type', [z.object({ type: z.literal('cron') }), z.object({ type: z.literal('manual') })]),
      { type: 'manul' },
      '/type must be one of cron, manual; did you mean manual?',
    ],
    [z.union([z.string(), z.number(), z.boolean()]), null, 'must be a string, a number or true or false'],
    [z.xor([z.string(), z.string().max(9)]), 'x', 'must match only one of the allowed forms'],
  ],
  invalid_key: [[z.record(z.string().max(2), z.int()), { long: 1 }, '/long the name must have at most 2 characters']],
  invalid_element: [[z.map(z.date(), z.int()), new Map([[new Date(0), 'x']]), 'has an element that must be a number']],
  invalid_value: [
    [z.enum(['queued', 'running']), 'sleeping', 'must be one of queued, running'],
    [z.enum(['queued', 'running']), 'runing', 'must be one of queued, running; did you mean running?'],
    [z.strictObject({ state: z.enum(['a', 'b']) }), {}, '/state is required and must be one of a, b'],
    [z.enum(['a', 'b']), 'c', 'must be one of a, b'],
    [z.literal('manual'), 'cron', 'must be manual'],
  ],
  custom: [
    [z.string().refine(() => false), 'x', 'is not valid'],
    [z.string().refine(() => false, 'must be an IANA time zone'), 'x', 'must be an IANA time zone'],
  ],
}

/** Reads a type declaration of zod. */
const declarationOf = (name: string) =>
  readFileSync(join(dirname(createRequire(import.meta.url).resolve('zod/package.json')), 'v4/core', name), 'utf8')
const literalsOf = (text: string) => [
  ...new Set([...text.matchAll(/"([a-z_0-9]+)"/g)].map(([, literal]) => literal ?? '')),
]
/** Returns the alternatives of a type that is a union of literals. */
const alternativesOf = (file: string, type: string) =>
  literalsOf(new RegExp(`export type \\${type} = ([^;]+);`).exec(declarationOf(file))?.[1] ?? '')

const foreignWording = /invalid|expected|received|too (small|big)|unrecognized|zod|undefined|NaN/i

describe('describeIssue', () => {
  it.each(Object.values(examples).flat())('describes %# in words of the platform', (schema, value, message) => {
    expect(detailsOf(schema, value)).toEqual([message])
  })

  it('is tested with every issue kind that zod declares', () => {
    const declared = [...declarationOf('errors.d.ts').matchAll(/readonly code: "([a-z_]+)"/g)].map(([, code]) => code)
    expect(declared.length).toBeGreaterThan(10)
    expect(Object.keys(examples).sort()).toEqual([...new Set(declared)].sort())
    for (const [code, cases] of Object.entries(examples))
      for (const [schema, value] of cases) expect(schema.safeParse(value).error?.issues[0]?.code).toBe(code)
  })

  it('names every string format that zod declares', () => {
    const formats = alternativesOf('checks.d.ts', '$ZodStringFormats')
    expect(formats.length).toBeGreaterThan(25)
    for (const format of formats) {
      const message = describeIssue({
        code: 'invalid_format',
        format,
        input: 'x',
        prefix: 'p',
        suffix: 's',
        includes: 'i',
      })
      expect(`${format}: ${message}`).toMatch(/: must /)
    }
  })

  it('names every type that zod declares', () => {
    const types = alternativesOf('errors.d.ts', '$ZodInvalidTypeExpected')
    expect(types.length).toBeGreaterThan(20)
    const raw = types.filter((expected) => {
      const message = describeIssue({ code: 'invalid_type', expected, input: 'x' })
      return message === `must be ${expected}` && expected !== 'null'
    })
    expect(raw).toEqual([])
  })
})

describe('validateInput', () => {
  const wrongValues = [
    undefined,
    null,
    'x',
    '',
    -1,
    1.5,
    Number.POSITIVE_INFINITY,
    true,
    [],
    [null],
    {},
    { nme: 1 },
    'y'.repeat(5000),
  ]

  it('uses no wording of the validation library for any input of any endpoint', () => {
    const messages = new Set<string>()
    for (const { definition } of endpoints)
      for (const schema of [definition.body, definition.query]) {
        if (schema === undefined) continue
        const fields = 'shape' in schema ? Object.keys(schema.shape as object) : [] // the shape of a zod object is an object
        const wholes = [
          ...wrongValues,
          ...wrongValues.map((value) => Object.fromEntries(fields.map((name) => [name, value]))),
        ]
        for (const value of wholes)
          for (const detail of detailsOf(schema, value)) messages.add(detail.replace(/^\S*[/?]\S* /, ''))
      }
    expect(messages.size).toBeGreaterThan(50)
    expect([...messages].filter((message) => foreignWording.test(message) || message.includes('pattern'))).toEqual([])
  })

  it('reports at most 100 fields', () => {
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, number) => [`field_${number}`, 1]))
    expect(detailsOf(z.strictObject({}), many)).toHaveLength(100)
    expect(detailsOf(z.array(z.string()), new Array(500).fill(1))).toHaveLength(100)
  })
})

describe('nearestName', () => {
  const fields = ['timestamp_field', 'value_field', 'group_by', 'name', 'q']

  it.each([
    ['timestampField', 'timestamp_field'],
    ['timestmap_field', 'timestamp_field'],
    ['groupby', 'group_by'],
    ['nmae', 'name'],
    ['values_field', 'value_field'],
  ])('returns the field that %s means', (given, meant) => {
    expect(nearestName(given, fields)).toBe(meant)
  })

  it.each(['colour', 'field', '', 'x'.repeat(100_000)])('returns undefined for a name that is not close', (given) => {
    expect(nearestName(given, fields.slice(0, 4))).toBeUndefined()
  })
})
