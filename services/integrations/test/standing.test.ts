import { describe, expect, it } from '@jest/globals'
import type { IntegrationStatus } from '@wp/contracts'
import { type Standing, standingAfter } from '../src/connections/standing.ts'

const at = new Date('2026-01-05T09:30:00.000Z')
const secondsAgo = (seconds: number) => new Date(at.getTime() - 1000 * seconds)
const error = { code: 'unavailable' as const, message: 'down', at: secondsAgo(5).toISOString() }
const standing = (status: IntegrationStatus, more: Partial<Standing> = {}): Standing => ({
  status,
  lastError: null,
  lastCheckedAt: secondsAgo(5),
  ...more,
})
const ok = { outcome: 'ok' as const }
const failed = (isFinal: boolean) => ({ outcome: 'failed' as const, code: 'tls' as const, message: 'no', isFinal })
const noted = { code: 'tls', message: 'no', at: at.toISOString() }

describe('what goes well', () => {
  it.each(['pending', 'error'] as const)('connects what was %s, which is news', (status) => {
    expect(standingAfter(standing(status, { lastError: error }), ok, at)).toEqual({
      ...{ status: 'connected', lastError: null, lastCheckedAt: at },
      event: 'connected',
    })
  })

  it('is noted once a minute while nothing changes, and is no news', () => {
    const after = { status: 'connected', lastError: null, lastCheckedAt: at }
    expect(standingAfter(standing('connected', { lastCheckedAt: secondsAgo(59) }), ok, at)).toBeUndefined()
    expect(standingAfter(standing('connected', { lastCheckedAt: secondsAgo(60) }), ok, at)).toEqual(after)
    expect(standingAfter(standing('connected', { lastCheckedAt: null }), ok, at)).toEqual(after)
  })

  it('takes away at once what was noted of a trouble, and is no news either', () => {
    const after = { status: 'connected', lastError: null, lastCheckedAt: at }
    expect(standingAfter(standing('connected', { lastError: error }), ok, at)).toEqual(after)
  })
})

describe('what fails', () => {
  it.each(['pending', 'connected'] as const)('for good turns what was %s, which is news', (status) => {
    const after = { status: 'error', lastError: noted, lastCheckedAt: at }
    expect(standingAfter(standing(status), failed(true), at)).toEqual({ ...after, event: 'error' })
    expect(standingAfter(standing('error', { lastError: error }), failed(true), at)).toEqual(after)
  })

  it.each(['pending', 'connected', 'error'] as const)('for now is noted and leaves it %s', (status) => {
    expect(standingAfter(standing(status), failed(false), at)).toEqual({ status, lastError: noted, lastCheckedAt: at })
  })
})

it('says nothing of what is disconnected', () => {
  for (const outcome of [ok, failed(true), failed(false)])
    expect(standingAfter(standing('disconnected'), outcome, at)).toBeUndefined()
})
