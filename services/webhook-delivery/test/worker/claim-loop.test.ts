import { describe, expect, it } from '@jest/globals'
import { noLog } from '@wp/runtime'
import { eventually } from '@wp/testkit'
import {
  type ClaimEvent,
  type ClaimState,
  createClaimLoop,
  eventOfClaim,
  nextClaimState,
} from '../../src/worker/claim-loop.ts'

const nothing = { isLimited: false, hasHeldEndpoints: false, hasMore: false }

describe('the state of the claim loop', () => {
  it.each<[ClaimState, ClaimEvent, ClaimState]>([
    ['requested', 'claim_began', 'claiming'],
    ['claiming', 'found_drained', 'drained'],
    ['claiming', 'found_saturated', 'saturated'],
    ['claiming', 'found_blocked', 'blocked'],
    ['claiming', 'found_more', 'requested'],
    ['claiming', 'woken', 'requested'],
    ['claiming', 'attempt_ended', 'requested'],
    ['saturated', 'attempt_ended', 'requested'],
    ['blocked', 'attempt_ended', 'requested'],
    ['saturated', 'woken', 'requested'],
    ['drained', 'woken', 'requested'],
    ['drained', 'claim_began', 'claiming'],
    // The end of an attempt frees a slot that no due delivery waits for.
    ['drained', 'attempt_ended', 'drained'],
    // The claim in progress may not have seen what woke the loop.
    ['requested', 'found_drained', 'requested'],
    ['requested', 'found_saturated', 'requested'],
    ['requested', 'woken', 'requested'],
    // A claim that failed is repeated.
    ['claiming', 'claim_began', 'claiming'],
  ])('%s becomes, after %s, %s', (state, event, expected) => {
    expect(nextClaimState(state, event)).toBe(expected)
  })

  it.each([
    [{ ...nothing }, 'found_drained'],
    [{ ...nothing, isLimited: true }, 'found_saturated'],
    [{ ...nothing, isLimited: true, hasHeldEndpoints: true }, 'found_blocked'],
    [{ ...nothing, isLimited: true, hasHeldEndpoints: true, hasMore: true }, 'found_more'],
  ])('follows from the result of a claim: %j is %s', (result, event) => {
    expect(eventOfClaim(result)).toBe(event)
  })
})

describe('createClaimLoop', () => {
  /** Starts a loop whose claims have these results, and then find nothing. */
  async function startLoop(results: (typeof nothing | undefined)[], msUntilReady?: number) {
    const filters: boolean[] = []
    let claims = 0
    const loop = createClaimLoop({
      claim: async () => {
        claims += 1
        return claims > results.length ? nothing : results[claims - 1]
      },
      async findMsUntilReady({ includesReady }) {
        filters.push(includesReady)
        return filters.length === 1 ? msUntilReady : undefined
      },
      pollMs: 600_000,
      log: noLog,
    })
    await loop.start()
    return {
      loop,
      filters,
      countClaims: () => claims,
      untilClaims: (count: number) => eventually(() => claims === count),
    }
  }

  it('claims again at once if there is more, and after a short pause if endpoints were held', async () => {
    const { loop, filters, untilClaims } = await startLoop([
      { ...nothing, hasMore: true },
      { ...nothing, hasHeldEndpoints: true },
    ])
    await untilClaims(3)
    await eventually(() => filters.length === 1)
    expect(filters).toEqual([true])
    await loop.stop()
  })

  it('claims after the end of an attempt only if deliveries wait for a slot', async () => {
    const { loop, filters, countClaims, untilClaims } = await startLoop([{ ...nothing, isLimited: true }, undefined])
    await eventually(() => filters.length === 1)
    expect(filters).toEqual([false])
    loop.handle('attempt_ended')
    await untilClaims(2)
    loop.handle('attempt_ended')
    await untilClaims(3)
    await eventually(() => filters.length === 2)
    loop.handle('attempt_ended')
    expect(countClaims()).toBe(3)
    loop.handle('woken')
    await untilClaims(4)
    await loop.stop()
  })

  it('claims when the next delivery is due', async () => {
    const { loop, untilClaims } = await startLoop([], 30)
    await untilClaims(2)
    await loop.stop()
  })
})
