import { describe, expect, it } from '@jest/globals'
import { z } from 'zod'
import { boundedRecord } from '../src/core/shape/bounded.ts'
import { type EndpointDefinition, endpoints } from '../src/index.ts'
import { findUnbounded } from './fixture/find-unbounded.ts'

/** Paths of an endpoint's inputs that have no bound. */
const unboundedInputs = ({ id, params, query, body }: Pick<EndpointDefinition, 'id' | 'params' | 'query' | 'body'>) =>
  Object.entries({ params, query, body }).flatMap(([part, schema]) =>
    schema === undefined ? [] : findUnbounded(schema, `${id} ${part}`),
  )

describe('the inputs of every endpoint', () => {
  it('have a bound on each array, record and string', () => {
    expect(endpoints.length).toBeGreaterThan(50)
    expect(endpoints.flatMap(({ definition }) => unboundedInputs(definition))).toEqual([])
  })

  it.each([
    ['an array', z.strictObject({ items: z.array(z.string().max(10)) }), ['body.items: array without max']],
    ['an array in a union', z.union([z.boolean(), z.array(z.boolean()).min(1)]), ['body|1: array without max']],
    [
      'a record that counts its keys too late',
      z.strictObject({
        labels: z.record(z.string().max(9), z.number()).refine((pairs) => Object.keys(pairs).length < 9),
      }),
      ['body.labels: record, use boundedRecord'],
    ],
    [
      'an array counted after another check',
      z
        .array(z.boolean())
        .refine((flags) => flags.length !== 1)
        .max(5),
      ['body: array without max'],
    ],
    ['a string', z.strictObject({ name: z.string().min(1).optional() }).nullable(), ['body.name: string without max']],
    [
      'the elements of a bounded array',
      z.array(z.strictObject({ text: z.string() })).max(5),
      ['body[].text: string without max'],
    ],
    ['any value', z.strictObject({ items: z.array(z.unknown()).max(5) }), []],
  ])('are rejected by this check when %s has none', (_name, schema, expected) => {
    expect(findUnbounded(schema, 'body')).toEqual(expected)
  })
})

/** Counts how many elements are validated. */
function countingElement() {
  let validated = 0
  const element = z.number().refine(() => ++validated > 0)
  return { element, count: () => validated }
}

describe('a bound', () => {
  it('of z.array().max() is checked before the elements', () => {
    const { element, count } = countingElement()
    const result = z.array(element).min(1).max(100).safeParse(new Array(1_000_000).fill('zero'))
    expect(result.error?.issues).toMatchObject([{ code: 'too_big', path: [] }])
    expect(z.array(element).max(100).safeParse(new Array(101).fill(0)).success).toBe(false)
    expect(count()).toBe(0)
    expect(z.array(element).max(100).safeParse(new Array(100).fill(0)).success).toBe(true)
    expect(count()).toBe(100)
  })

  it('of boundedRecord is checked before the members', () => {
    const { element, count } = countingElement()
    const schema = z.strictObject({ labels: boundedRecord(z.string().max(9), element, 3).optional() })
    const labels = (keys: number) => ({
      labels: Object.fromEntries(Array.from({ length: keys }, (_, n) => [`k${n}`, n])),
    })
    const result = schema.safeParse(labels(4))
    expect(result.error?.issues).toMatchObject([{ path: ['labels'], message: 'must have at most 3 members' }])
    expect(count()).toBe(0)
    expect(schema.parse(labels(3))).toEqual(labels(3))
    expect(schema.parse({})).toEqual({})
    expect(z.toJSONSchema(schema, { io: 'input' })).toMatchObject({ properties: { labels: { maxProperties: 3 } } })
  })
})
