import { describe, expect, it } from '@jest/globals'
import { Problem } from '@wp/contracts'
import fc from 'fast-check'
import { decodeCursor, encodeCursor } from '../src/index.ts'

const latest = Date.UTC(9999, 11, 31, 23, 59, 59, 999)
const times = fc.date({ min: new Date(0), max: new Date(latest), noInvalidDate: true })
const ids = fc.string({ unit: 'binary' }).filter((id) => !id.includes('\0') && id.isWellFormed())

/** Returns the decoded cursor; undefined if the text is rejected. */
function tryDecode(text: string) {
  try {
    return decodeCursor(text)
  } catch (error) {
    if (error instanceof Problem && error.code === 'invalid_cursor') return undefined
    throw error
  }
}

describe('the cursor codec', () => {
  it('decodes every encoded cursor to the same value', () => {
    fc.assert(
      fc.property(times, ids, (createdAt, id) => {
        expect(decodeCursor(encodeCursor({ createdAt, id }))).toEqual({ createdAt, id })
      }),
    )
  })

  it('uses only characters that need no escaping in a query', () => {
    fc.assert(fc.property(times, ids, (createdAt, id) => encodeCursor({ createdAt, id }).match(/^[\w-]+$/) !== null))
  })

  it('decodes any text to values that PostgreSQL accepts, or rejects it', () => {
    const json = fc.json().map((text) => Buffer.from(text).toString('base64url'))
    const pairs = fc
      .tuple(fc.oneof(fc.double(), fc.maxSafeInteger()), fc.string({ unit: 'binary' }))
      .map((pair) => Buffer.from(JSON.stringify(pair)).toString('base64url'))
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.base64String(), json, pairs), (text) => {
        const cursor = tryDecode(text)
        if (cursor === undefined) return
        expect(cursor.createdAt.getTime()).toBeGreaterThanOrEqual(0)
        expect(cursor.createdAt.getTime()).toBeLessThanOrEqual(latest)
        expect(cursor.id).not.toContain('\0')
      }),
      { numRuns: 2000 },
    )
  })
})
