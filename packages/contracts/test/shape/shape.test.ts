import { describe, expect, it } from '@jest/globals'
import { isTimeZone, timestamp } from '../../src/index.ts'

describe('timestamp', () => {
  it.each(['2026-01-05T09:30:00.000Z', '0001-01-01T00:00:00.000Z', '9999-12-31T23:59:59.999Z'])(
    'accepts %s',
    (text) => {
      expect(timestamp().safeParse(text).success).toBe(true)
    },
  )

  it.each([
    ['in the year 0, which PostgreSQL does not have', '0000-01-01T00:00:00.000Z'],
    ['on a day that does not exist', '2026-02-30T00:00:00.000Z'],
    ['without milliseconds', '2026-01-05T09:30:00Z'],
    ['in another time zone', '2026-01-05T09:30:00.000+01:00'],
  ])('rejects a time %s', (_, text) => {
    expect(timestamp().safeParse(text).success).toBe(false)
  })
})

describe('isTimeZone', () => {
  it.each(['Europe/Berlin', 'europe/berlin', 'Asia/Calcutta', 'EST', 'utc', 'GB', 'Etc/GMT+1', 'PST8PDT'])(
    'accepts %s',
    (name) => expect(isTimeZone(name)).toBe(true),
  )

  it.each(['BST', 'ist', 'CST', 'JST', 'SystemV/PST8', 'Europe/Atlantis', '+01:00', ''])('rejects %j', (name) =>
    expect(isTimeZone(name)).toBe(false),
  )
})
