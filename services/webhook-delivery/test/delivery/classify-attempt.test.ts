import { describe, expect, it } from '@jest/globals'
import { parseRetryAfterMs } from '@wp/outbound'
import { classifyAttempt } from '../../src/delivery/next-state.ts'

const nowMs = Date.parse('2026-01-05T09:30:00.000Z')
const delivered = { outcome: 'delivered' }
const retried = { outcome: 'failed', action: 'retry', isOverloaded: false }
const overloaded = { outcome: 'failed', action: 'retry', isOverloaded: true }
const disabled = { outcome: 'failed', action: 'disable' }
const waits = (retryAfterMs: number) => ({ outcome: 'failed', action: 'retry_after', retryAfterMs, isOverloaded: true })

describe('classifyAttempt', () => {
  it.each([
    ['200', 200, null, undefined, delivered],
    ['204', 204, null, undefined, delivered],
    ['299', 299, null, undefined, delivered],
    ['200 with a compressed body, which is not read', 200, 'encoding', undefined, delivered],
    ['200 whose body exceeds the time limit', 200, 'timeout', undefined, overloaded],
    ['200 whose body breaks off', 200, 'reset', undefined, retried],
    ['302', 302, null, undefined, retried],
    ['400', 400, null, undefined, retried],
    ['404 with a compressed body', 404, 'encoding', undefined, retried],
    ['410', 410, null, undefined, disabled],
    ['429 without Retry-After', 429, null, undefined, overloaded],
    ['429 with Retry-After', 429, null, '120', waits(120_000)],
    ['429 with a malformed Retry-After', 429, null, 'soon', overloaded],
    ['503 without Retry-After', 503, null, undefined, retried],
    ['503 with Retry-After', 503, null, 'Mon, 05 Jan 2026 09:31:00 GMT', waits(60_000)],
    ['500 with Retry-After', 500, null, '120', retried],
    ['a timeout', null, 'timeout', undefined, overloaded],
    ['a refused connection', null, 'connect', undefined, retried],
    ['an untrusted certificate', null, 'tls', undefined, retried],
    ['a name that does not resolve, or a blocked address', null, 'blocked_address', undefined, retried],
  ])('classifies %s', (_name, statusCode, errorKind, retryAfter, expected) => {
    expect(classifyAttempt({ statusCode, errorKind, retryAfter }, nowMs)).toEqual(expected)
  })
})

describe('parseRetryAfterMs', () => {
  it.each([
    ['0', 0],
    [' 7 ', 7_000],
    ['86400', 86_400_000],
    ['86401', 86_401_000],
    ['9'.repeat(18), 1e21],
    ['Mon, 05 Jan 2026 09:30:10 GMT', 10_000],
    ['Monday, 05-Jan-26 09:30:10 GMT', 10_000],
    ['Mon Jan  5 09:30:10 2026', 10_000],
    ['Mon, 05 Jan 2026 09:29:00 GMT', 0],
    ['Tue, 05 Jan 2027 09:30:00 GMT', 365 * 86_400_000],
    ['', undefined],
    ['-1', undefined],
    ['1.5', 1_500],
    ['Mon, 05 Jan 2026 10:30:10 +0100', 10_000],
    ['Mon, 05 Jan 2026 04:30:10 EST', 10_000],
    [['7', '9'], 7_000],
    ['soon', undefined],
    ['in 2 hours', undefined],
    ['1e3', undefined],
    ['Mon, 05 Jan 2026 10:30:10 CET', undefined],
    ['Mon, nonsense', undefined],
    ['2026-01-05', undefined],
    [undefined, undefined],
  ])('returns for %j %s ms', (field, expected) => {
    expect(parseRetryAfterMs(field, nowMs)).toBe(expected)
  })
})
