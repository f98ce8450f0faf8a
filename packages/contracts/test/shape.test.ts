import { describe, expect, it } from '@jest/globals'
import { timestamp } from '../src/index.ts'

describe('a timestamp', () => {
  it.each(['2026-01-05T09:30:00.000Z', '0001-01-01T00:00:00.000Z', '9999-12-31T23:59:59.999Z'])('can be %s', (text) => {
    expect(timestamp().safeParse(text).success).toBe(true)
  })

  it.each([
    ['of the year 0, which PostgreSQL does not know', '0000-01-01T00:00:00.000Z'],
    ['of a day that is none', '2026-02-30T00:00:00.000Z'],
    ['without milliseconds', '2026-01-05T09:30:00Z'],
    ['of another zone', '2026-01-05T09:30:00.000+01:00'],
  ])('cannot be one %s', (_, text) => {
    expect(timestamp().safeParse(text).success).toBe(false)
  })
})
