import { describe, expect, it } from '@jest/globals'
import {
  destinationOf,
  isReceiverAddress,
  nameOfSubscription,
} from '../../../web/src/webhooks/shared/subscription-name.ts'
import { followMs, stateOf } from '../../../web/src/webhooks/shared/subscription-state.ts'

const stats = (success_rate: number | null) => ({ status: 'active' as const, stats: { success_rate } })

describe('the state of a subscription', () => {
  it.each([
    [null, 'idle'],
    [1, 'active'],
    [0.95, 'active'],
    [0.94, 'unreliable'],
    [0.49, 'failing'],
    [0, 'failing'],
  ])('agrees with a success rate of %p: %s', (rate, state) => {
    expect(stateOf(stats(rate))).toBe(state)
  })

  it('is that of the API when it is disabled', () => {
    expect(stateOf({ ...stats(1), status: 'disabled' })).toBe('disabled')
  })
})

describe('a test receiver', () => {
  const endpoint = 'https://api.example.com/v1/webhooks/receive?token=eu1.ab_c-D'

  it('has figures that are read again while its page is open, as those with pending deliveries have', () => {
    const of = (address: string, pending: number) =>
      followMs({ delivery: 'push', endpoint: address, stats: { pending } })
    expect(of(endpoint, 0)).toBeGreaterThan(0)
    expect(of('https://example.com/hooks', 1)).toBeGreaterThan(0)
    expect(of('https://example.com/hooks', 0)).toBe(false)
  })

  it('is named as one, so that its token is not shown in lists', () => {
    expect(isReceiverAddress(endpoint)).toBe(true)
    expect(isReceiverAddress('https://example.com/receive?token=x')).toBe(false)
    expect(isReceiverAddress(null)).toBe(false)
    const subscription = { endpoint, description: null, webhook_id: 'wh_1', delivery: 'push' as const }
    expect(nameOfSubscription(subscription)).toBe('Test receiver')
    expect(destinationOf(subscription)).not.toContain('token')
  })
})
