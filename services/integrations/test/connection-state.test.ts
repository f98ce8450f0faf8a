import { describe, expect, it } from '@jest/globals'
import type { IntegrationStatus } from '@wp/contracts'
import { type ConnectionState, nextConnectionState } from '../src/connections/connection-state.ts'

const at = new Date('2026-01-05T09:30:00.000Z')
const secondsAgo = (seconds: number) => new Date(at.getTime() - 1000 * seconds)
const error = { code: 'unavailable' as const, message: 'down', at: secondsAgo(5).toISOString() }
const standing = (status: IntegrationStatus, more: Partial<ConnectionState> = {}): ConnectionState => ({
  status,
  lastError: null,
  lastCheckedAt: secondsAgo(5),
  ...more,
})
const ok = { result: 'ok' as const }
const failed = (isPermanent: boolean) => ({
  result: 'failed' as const,
  code: 'tls' as const,
  message: 'no',
  isPermanent,
})
const noted = { code: 'tls', message: 'no', at: at.toISOString() }

describe('a success', () => {
  it.each(['pending', 'error'] as const)('changes %s to connected and emits an event', (status) => {
    expect(nextConnectionState(standing(status, { lastError: error }), ok, at)).toEqual({
      status: 'connected',
      lastError: null,
      lastCheckedAt: at,
      event: 'connected',
    })
  })

  it('updates the time at most once a minute and emits no event while nothing changes', () => {
    const after = { status: 'connected', lastError: null, lastCheckedAt: at }
    expect(nextConnectionState(standing('connected', { lastCheckedAt: secondsAgo(59) }), ok, at)).toBeUndefined()
    expect(nextConnectionState(standing('connected', { lastCheckedAt: secondsAgo(60) }), ok, at)).toEqual(after)
    expect(nextConnectionState(standing('connected', { lastCheckedAt: null }), ok, at)).toEqual(after)
  })

  it('clears the last error at once and emits no event', () => {
    const after = { status: 'connected', lastError: null, lastCheckedAt: at }
    expect(nextConnectionState(standing('connected', { lastError: error }), ok, at)).toEqual(after)
  })
})

describe('a failure', () => {
  it.each(['pending', 'connected'] as const)('that is permanent changes %s to error and emits an event', (status) => {
    const after = { status: 'error', lastError: noted, lastCheckedAt: at }
    expect(nextConnectionState(standing(status), failed(true), at)).toEqual({ ...after, event: 'error' })
    expect(nextConnectionState(standing('error', { lastError: error }), failed(true), at)).toEqual(after)
  })

  it.each(['pending', 'connected', 'error'] as const)('that is temporary is stored and keeps %s', (status) => {
    expect(nextConnectionState(standing(status), failed(false), at)).toEqual({
      status,
      lastError: noted,
      lastCheckedAt: at,
    })
  })
})

it('a disconnected integration does not change', () => {
  for (const outcome of [ok, failed(true), failed(false)])
    expect(nextConnectionState(standing('disconnected'), outcome, at)).toBeUndefined()
})
