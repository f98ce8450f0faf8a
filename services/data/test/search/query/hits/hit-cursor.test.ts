import { describe, expect, it } from '@jest/globals'
import { newId } from '@wp/database'
import {
  decodeSearchCursor,
  encodeSearchCursor,
  joinEnds,
  type SearchCursor,
  splitEnds,
} from '../../../../src/search/query/hits/hit-cursor.ts'

const ids = Array.from({ length: 100 }, () => newId('rec'))
const common = { engine: 'opensearch', mode: 'hybrid' } as const
const first: SearchCursor = { ...common, seenAt: 1_767_225_600_000, total: 5, firstHits: joinEnds(ids) }
const later: SearchCursor = { ...common, viewId: '0192d5f2-1111-4222-8333-444455556666', start: 30, shown: 20 }

describe('the cursor of a search', () => {
  it('is read as it was written, and has at most 2,000 characters', () => {
    for (const cursor of [first, later, { ...first, total: undefined, firstHits: '' }]) {
      const text = encodeSearchCursor(cursor)
      expect(decodeSearchCursor(text, '?cursor')).toEqual(cursor)
      expect(text).toMatch(/^[\w.-]{1,2000}$/)
    }
    expect(splitEnds(joinEnds(ids))).toEqual(ids.map((id) => id.slice(-10)))
    expect(new Set(splitEnds(joinEnds(ids))).size).toBe(100)
  })

  it.each([
    'x',
    '',
    '.',
    encodeSearchCursor(first).slice(0, -1),
    `${encodeSearchCursor(first)}.`,
    `${encodeSearchCursor(later)}.${'a'.repeat(10)}`,
    encodeSearchCursor({ ...later, start: -1 }),
    encodeSearchCursor({ ...later, viewId: "1' OR 1=1" }),
    encodeSearchCursor({ ...first, seenAt: 1e300 }),
    Buffer.from('[5,0,1,2]').toString('base64url'),
  ])('is refused when it was changed: %s', (text) => {
    expect(() => decodeSearchCursor(text, '?cursor')).toThrow(expect.objectContaining({ code: 'invalid_cursor' }))
  })
})
