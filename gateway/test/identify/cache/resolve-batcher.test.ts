import { describe, expect, it } from '@jest/globals'
import { type PresentedCredential, problem, type Resolution } from '@wp/contracts'
import { createResolveBatcher } from '../../../src/identify/cache/resolve-batcher.ts'

const token = (principal_id: string): PresentedCredential => ({
  type: 'token',
  principal_id,
  principal_type: 'service_principal',
})
const nameOf = (presented: PresentedCredential) => (presented.type === 'token' ? presented.principal_id : '')
/** A resolution that shows which credential it belongs to. */
const resolutionOf = (presented: PresentedCredential): Resolution =>
  ({ status: 'active', identity: { credential_id: nameOf(presented) } }) as Resolution // the batcher reads nothing of it
const names = (count: number) => Array.from({ length: count }, (_, index) => `p${index}`)
const nextTurn = () => new Promise((resolve) => setImmediate(resolve))

/** Creates a batcher over an auth that, if `isHeld`, responds only when the test opens the gate of a call. */
function createHarness(options: { maxConcurrentCalls?: number; isHeld?: boolean } = {}) {
  const { isHeld = false, ...batcherOptions } = options
  const calls: string[][] = []
  const gates: PromiseWithResolvers<void>[] = []
  let maxInFlight = 0
  let inFlight = 0
  const state = { errorFor: (_items: PresentedCredential[]): Error | undefined => undefined }
  const resolve = createResolveBatcher({
    ...batcherOptions,
    async resolveMany(items) {
      calls.push(items.map(nameOf))
      inFlight += 1
      maxInFlight = Math.max(maxInFlight, inFlight)
      const gate = Promise.withResolvers<void>()
      gates.push(gate)
      if (!isHeld) gate.resolve()
      await gate.promise
      inFlight -= 1
      const error = state.errorFor(items)
      if (error !== undefined) throw error
      return items.map(resolutionOf)
    },
  })
  return { resolve: (name: string) => resolve(token(name)), calls, gates, state, maxInFlight: () => maxInFlight }
}

describe('the resolve batcher', () => {
  it('resolves the credentials of one turn in one call, and gives each its own resolution', async () => {
    const { resolve, calls } = createHarness()
    const resolutions = await Promise.all(names(40).map(resolve))
    expect(calls).toEqual([names(40)])
    expect(resolutions).toEqual(names(40).map((name) => resolutionOf(token(name))))
  })

  it('sends at most a hundred credentials per call', async () => {
    const { resolve, calls } = createHarness()
    await Promise.all(names(250).map(resolve))
    expect(calls.map(({ length }) => length)).toEqual([100, 100, 50])
  })

  it('collects credentials that arrive while the allowed calls are in flight', async () => {
    const { resolve, calls, gates, maxInFlight } = createHarness({ isHeld: true, maxConcurrentCalls: 2 })
    const resolutions: Promise<unknown>[] = []
    for (const name of names(12)) {
      resolutions.push(resolve(name))
      await nextTurn()
    }
    expect(calls).toEqual([['p0'], ['p1']])
    gates[0]?.resolve()
    await nextTurn()
    expect(calls[2]).toEqual(names(12).slice(2))
    for (const gate of gates) gate.resolve()
    expect(await Promise.all(resolutions)).toHaveLength(12)
    expect(maxInFlight()).toBe(2)
  })

  it('never exceeds the allowed concurrent calls', async () => {
    const { resolve, calls, maxInFlight } = createHarness({ maxConcurrentCalls: 2 })
    await Promise.all(names(550).map(resolve))
    expect([calls.length, maxInFlight()]).toEqual([6, 2])
  })

  it('rejects only the credential at fault when auth rejects a batch', async () => {
    const { resolve, state, calls } = createHarness()
    state.errorFor = (items) =>
      items.some((item) => nameOf(item) === 'p13') ? problem('validation_failed') : undefined
    const results = await Promise.allSettled(names(64).map(resolve))
    expect(results.flatMap(({ status }, index) => (status === 'rejected' ? [index] : []))).toEqual([13])
    // 64 halved until one is left: the whole batch and two halves at each of six levels
    expect(calls).toHaveLength(13)
  })

  it('rejects the whole batch with one call when auth is unavailable, and recovers', async () => {
    const { resolve, state, calls } = createHarness()
    state.errorFor = () => problem('service_unavailable')
    const results = await Promise.allSettled(names(100).map(resolve))
    expect(results.every(({ status }) => status === 'rejected')).toBe(true)
    expect(calls).toHaveLength(1)
    state.errorFor = () => undefined
    expect(await resolve('later')).toEqual(resolutionOf(token('later')))
  })

  it('rejects the credentials without a resolution', async () => {
    const resolve = createResolveBatcher({ resolveMany: async (items) => items.slice(1).map(resolutionOf) })
    const results = await Promise.allSettled(names(3).map((name) => resolve(token(name))))
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected'])
  })
})
