import { expect, it } from '@jest/globals'
import { withoutAbsentNulls } from '@wp/contracts'
import { z } from 'zod'

const shape = z.strictObject({
  limit: z.int().optional(),
  label: z.string().nullable().optional(),
  filter: z
    .strictObject({ field: z.string(), value: z.union([z.string(), z.object({ from: z.string().optional() })]) })
    .optional(),
  items: z.array(z.strictObject({ unit: z.string().optional() })).optional(),
})

it.each([
  ['an optional member', { limit: null }, {}],
  ['a member of a member', { filter: { field: 'a', value: { from: null } } }, { filter: { field: 'a', value: {} } }],
  ['a member of an element', { items: [{ unit: null }, { unit: 'h' }] }, { items: [{}, { unit: 'h' }] }],
  ['an optional object', { limit: 3, filter: null }, { limit: 3 }],
])('null is absent when it stands for %s', (_, given, expected) => {
  expect(withoutAbsentNulls(shape, given)).toEqual(expected)
})

it.each([
  ['the shape accepts it', { label: null }],
  ['it is an element of a list', { items: [null] }],
  ['the arguments are not an object', null],
])('null stays when %s', (_, given) => {
  expect(withoutAbsentNulls(shape, given)).toEqual(given)
})

it('the arguments of the caller are not changed', () => {
  const given = Object.freeze({ limit: null })
  expect(withoutAbsentNulls(shape, given)).toEqual({})
})
