import { expect, test } from '@jest/globals'
import { sampleInput } from '../../../../web/src/agents/shared/sample-input.ts'

test('a sample has the required members, with defaults, choices and values of their types', () => {
  expect(
    sampleInput({
      type: 'object',
      properties: {
        topic: { type: 'string' },
        length: { enum: ['short', 'long'] },
        limit: { type: 'integer', minimum: 1 },
        options: {
          type: 'object',
          properties: { tags: { type: 'array' }, isDraft: { type: 'boolean', default: true } },
        },
        ignored: { type: 'string' },
      },
      required: ['topic', 'length', 'limit', 'options'],
    }),
  ).toEqual({ topic: '', length: 'short', limit: 1, options: { tags: [], isDraft: true } })
})

test('a sample has all members when none is required, and none when the schema is no object', () => {
  expect(sampleInput({ type: 'object', properties: { a: { type: 'number' } } })).toEqual({ a: 0 })
  expect(sampleInput({ type: 'object' })).toEqual({})
  expect(sampleInput({ $ref: '#/$defs/x' })).toEqual({})
})
