import { createLoop, type Log, type Loop, type PassResult } from '@wp/runtime'
import type { ClaimResult } from '../store/deliveries/claim.ts'

/**
 * States of a loop of claims:
 *
 * - `requested`: a claim follows, at once or after the one in progress.
 * - `claiming`: a claim is in progress, and nothing has changed since it began; or it has failed and is repeated.
 * - `saturated`: deliveries are due, but no slots are free for them: a claim follows the end of an attempt.
 * - `blocked`: other transactions held endpoints with due deliveries: a claim follows a short pause, or the end of an
 *   attempt, whose record may have been that transaction.
 * - `drained`: no delivery is due that the limits allow: a claim follows a wake, or the time at which one is due.
 */
export type ClaimState = 'requested' | 'claiming' | 'saturated' | 'blocked' | 'drained'

/** `woken`: by a commit, a timer or the record of attempts. `found_…`: a claim has ended; see `eventOfClaim`. */
export type ClaimEvent =
  | 'woken'
  | 'attempt_ended'
  | 'claim_began'
  | 'found_more'
  | 'found_saturated'
  | 'found_blocked'
  | 'found_drained'

/** Transitions by state. An event without one leaves the state as it is. */
const transitions: Record<ClaimState, Partial<Record<ClaimEvent, ClaimState>>> = {
  requested: { claim_began: 'claiming' },
  claiming: {
    woken: 'requested',
    attempt_ended: 'requested',
    found_more: 'requested',
    found_saturated: 'saturated',
    found_blocked: 'blocked',
    found_drained: 'drained',
  },
  // A poll begins a claim in these states too.
  saturated: { claim_began: 'claiming', woken: 'requested', attempt_ended: 'requested' },
  blocked: { claim_began: 'claiming', woken: 'requested', attempt_ended: 'requested' },
  drained: { claim_began: 'claiming', woken: 'requested' },
}

/** Returns the state after an event. */
export const nextClaimState = (state: ClaimState, event: ClaimEvent): ClaimState => transitions[state][event] ?? state

/** Returns the event of a claim that has ended. */
export function eventOfClaim(claim: Omit<ClaimResult, 'claimed'>): ClaimEvent {
  if (claim.hasMore) return 'found_more'
  if (claim.hasHeldEndpoints) return 'found_blocked'
  return claim.isLimited ? 'found_saturated' : 'found_drained'
}

/** Pause after which a ready endpoint that could not be claimed, or one that was held, is tried again. */
const minPauseMs = 20

interface Options {
  /** Claims due deliveries and starts their attempts; undefined if every slot is taken, so that no claim was made. */
  claim(): Promise<Omit<ClaimResult, 'claimed'> | undefined>
  /** Returns the milliseconds until an endpoint is ready; undefined if none is. See `findMsUntilReady`. */
  findMsUntilReady(filter: { includesReady: boolean }): Promise<number | undefined>
  pollMs: number
  log: Log
}

/** Creates the loop that claims due deliveries as long as there are some that the limits allow. */
export function createClaimLoop(options: Options): Loop & { handle(event: 'woken' | 'attempt_ended'): void } {
  const { claim, findMsUntilReady, pollMs, log } = options
  const loop = createLoop({ name: 'webhook dispatcher', pass, pollMs, log })
  let state: ClaimState = 'requested'

  function handle(event: ClaimEvent): void {
    const before = state
    state = nextClaimState(before, event)
    if (state === 'requested' && before !== 'requested') loop.wake()
  }

  async function pass(): Promise<PassResult> {
    handle('claim_began')
    const result = await claim()
    handle(result === undefined ? 'found_saturated' : eventOfClaim(result))
    const pauseMs = result === undefined ? undefined : await findPauseMs()
    return state === 'requested' ? 'more' : (pauseMs ?? 'idle')
  }

  /** Returns the milliseconds until a claim for what becomes due before the next poll; undefined if nothing does. */
  async function findPauseMs(): Promise<number | undefined> {
    if (state === 'blocked') return minPauseMs
    if (state !== 'saturated' && state !== 'drained') return undefined
    const ms = await findMsUntilReady({ includesReady: state === 'drained' })
    return ms !== undefined && ms < pollMs ? Math.max(ms, minPauseMs) : undefined
  }

  return { ...loop, handle }
}
