import { describe, expect, it } from '@jest/globals'
import { EventFilter, webhookEvents } from '@wp/contracts'
import fc from 'fast-check'
import { z } from 'zod'
import { matchesEventFilter } from '../src/index.ts'

const event = {
  kind: 'DATA_SYNC_FAILED',
  occurred_at: '2026-01-05T09:30:00.000Z',
  data: {
    id: 'sync_1',
    status: 'failed',
    counts: { seen: 48, failed: 3 },
    error: { code: 'auth', message: 'Refused by the provider' },
    tags: ['north', 'blue'],
    retried: false,
    name: null,
    empty: '',
  },
}
const matches = (filter: object) => matchesEventFilter(EventFilter.parse(filter), event)

describe('a condition', () => {
  it.each([
    [true, { status: 'failed' }],
    [false, { status: 'finished' }],
    [true, { 'counts.failed': 3 }],
    [false, { 'counts.failed': '3' }],
    [true, { retried: false }],
    [true, { 'error.code': { in: ['timeout', 'auth'] } }],
    [false, { 'error.code': { in: ['timeout'] } }],
    [true, { 'error.code': { not: 'timeout' } }],
    [false, { 'error.code': { not: ['timeout', 'auth'] } }],
    [true, { 'counts.failed': { gt: 2, lte: 3 } }],
    [false, { 'counts.failed': { gt: 3 } }],
    [false, { 'counts.failed': { gt: '2' } }],
    [true, { 'error.code': { gte: 'a', lt: 'b' } }],
    [true, { 'error.message': { contains: 'provider' } }],
    [false, { 'error.message': { contains: 'Provider' } }],
    [false, { counts: { contains: '3' } }],
    [true, { tags: 'blue' }],
    [false, { tags: { not: 'blue' } }],
    [true, { tags: { contains: 'nor' } }],
    [true, { error: { exists: true } }],
    [true, { name: { exists: false } }],
    [true, { empty: { exists: false } }],
    [true, { 'no.such.field': { exists: false } }],
    [true, { 'no.such.field': { not: 'x' } }],
    [false, { 'no.such.field': 'x' }],
    [false, { 'constructor.name': 'Object' }],
    [true, { event: 'DATA_SYNC_FAILED' }],
    [false, { occurred_at: '2026-01-05T10:30:00.000+01:00' }],
    [true, { occurred_at: { gte: '2026-01-05T10:30:00+01:00', lt: '2026-01-05T09:30:00.001Z' } }],
  ])('is %s for %j', (expected, conditions) => {
    expect(matches({ all: conditions })).toBe(expected)
  })
})

describe('a filter', () => {
  it('requires all conditions and one of the alternatives', () => {
    const [met, unmet] = [{ status: 'failed' }, { status: 'finished' }]
    expect(matches({ all: met, any: [unmet, met] })).toBe(true)
    expect(matches({ all: met, any: [unmet, unmet] })).toBe(false)
    expect(matches({ all: unmet, any: [met] })).toBe(false)
    expect(matches({ any: [{ ...met, tags: 'red' }, { 'counts.seen': 48 }] })).toBe(true)
  })

  it('is passed by an event whose payload was too large', () => {
    const truncated = { ...event, data: { id: 'sync_1', status: 'failed', truncated: true } }
    expect(matchesEventFilter({ all: { 'error.code': 'timeout' } }, truncated)).toBe(true)
  })

  it('never fails, whatever the payload is', () => {
    const filter = EventFilter.parse({
      all: { a: { gt: 1 }, 'a.b': { contains: 'x' }, b: { in: ['x', 1, true] }, c: { not: ['x'] } },
      any: [{ 'a.0.b': { exists: true } }, { d: { lt: '2026-01-05T09:30:00Z' } }],
    })
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), fc.jsonValue()), (data) => {
        expect(typeof matchesEventFilter(filter, { ...event, data })).toBe('boolean')
      }),
    )
  })

  it('reads at most 100 members of an array', () => {
    const tags = [...Array.from({ length: 100 }, () => 'other'), 'blue']
    expect(matchesEventFilter({ all: { tags: 'blue' } }, { ...event, data: { tags } })).toBe(false)
    expect(matchesEventFilter({ all: { tags: 'blue' } }, { ...event, data: { tags: tags.slice(1) } })).toBe(true)
  })

  it('searches the first 4,096 characters of a text', () => {
    const contains = (name: string) =>
      matchesEventFilter({ all: { name: { contains: 'b' } } }, { ...event, data: { name } })
    expect([contains(`${'a'.repeat(4_095)}b`), contains(`${'a'.repeat(4_096)}b`)]).toEqual([true, false])
  })

  it('can name the event kind, because no payload has a field of that name', () => {
    for (const { data } of Object.values(webhookEvents))
      expect(Object.keys(z.toJSONSchema(data, { io: 'input' }).properties ?? {})).not.toContain('event')
  })
})
