import { expect, test } from '@jest/globals'
import { viewOf } from '@wp/database'
import { z } from 'zod'

const Key = z.object({
  key_id: z.string(),
  last4: z.string(),
  latency_p50_ms: z.number(),
  created_at: z.iso.datetime(),
  used_at: z.iso.datetime().nullable(),
  is_own: z.boolean(),
  note: z.string().optional(),
})

const row = {
  keyId: 'akey_1',
  last4: 'abcd',
  latencyP50Ms: 7,
  createdAt: new Date('2026-11-29T06:00:00.000Z'),
  usedAt: null,
  secretHash: 'not part of the shape',
}

test('viewOf returns the fields of the shape alone, with times as RFC 3339', () => {
  expect(viewOf(Key, row, { is_own: true })).toEqual({
    key_id: 'akey_1',
    last4: 'abcd',
    latency_p50_ms: 7,
    created_at: '2026-11-29T06:00:00.000Z',
    used_at: null,
    is_own: true,
  })
})

test('viewOf returns a given value instead of that of the row', () => {
  expect(viewOf(Key, row, { is_own: false, last4: '****', created_at: '2026-01-01T00:00:00Z' })).toMatchObject({
    last4: '****',
    created_at: '2026-01-01T00:00:00Z',
  })
})

test('viewOf does not compile without a field of the shape', () => {
  // @ts-expect-error is_own is neither a field of the row nor given
  expect(viewOf(Key, row)).not.toHaveProperty('is_own')
})
