import { expect, it } from '@jest/globals'
import { throwIfExceeded } from '../../src/store/counters.ts'

it.each([
  [41, '41 s'],
  [119, '119 s'],
  [120, '2 minutes'],
  [935, '16 minutes'],
])('an exceeded limit with %d s to wait says so in %s', (resetSeconds, wait) => {
  const status = { key: 'codes', isExceeded: true, remaining: 0, resetSeconds }
  expect(() => throwIfExceeded([status], 'Too many codes were sent')).toThrow(
    expect.objectContaining({ detail: `Too many codes were sent; retry in ${wait}` }),
  )
})
