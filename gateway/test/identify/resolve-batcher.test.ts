import { describe, expect, it } from '@jest/globals'
import { type PresentedCredential, problem, type Resolution } from '@wp/contracts'
import { createResolveBatcher } from '../../src/identify/resolve-batcher.ts'

const token = (principal_id: string): PresentedCredential => ({
  type: 'token',
  principal_id,
  principal_type: 'service_principal',
})
const nameOf = (presented: PresentedCredential) => (presented.type === 'token' ? presented.principal_id : '')
/** A status that tells whose answer it is. */
const answerFor = (presented: PresentedCredential): Resolution =>
  ({ status: 'active', identity: { credential_id: nameOf(presented) } }) as Resolution // enough to tell one from another
const names = (count: number, prefix = 'p') => Array.from({ length: count }, (_, index) => `${prefix}${index}`)
const turn = () => new Promise((resolve) => setImmediate(resolve))

/** An auth whose calls wait until the test lets them end. */
function world(options: { callsAtOnce?: number; held?: boolean } = {}) {
  const calls: string[][] = []
  const gates: PromiseWithResolvers<void>[] = []
  let most = 0
  let underWay = 0
  const state = { fail: (_items: PresentedCredential[]): Error | undefined => undefined }
  const resolve = createResolveBatcher({
    ...options,
    async resolveMany(items) {
      calls.push(items.map(nameOf))
      underWay += 1
      most = Math.max(most, underWay)
      const gate = Promise.withResolvers<void>()
      gates.push(gate)
      if (options.held !== true) gate.resolve()
      await gate.promise
      underWay -= 1
      const error = state.fail(items)
      if (error !== undefined) throw error
      return items.map(answerFor)
    },
  })
  const ask = (name: string) => resolve(token(name))
  return { ask, calls, gates, state, most: () => most }
}

describe('asking for many', () => {
  it('gathers what comes in one turn, and gives each its own answer', async () => {
    const { ask, calls } = world()
    const answers = await Promise.all(names(40).map(ask))
    expect(calls).toEqual([names(40)])
    expect(answers).toEqual(names(40).map((name) => answerFor(token(name))))
  })

  it('asks for at most a hundred in a call', async () => {
    const { ask, calls } = world()
    await Promise.all(names(250).map(ask))
    expect(calls.map(({ length }) => length)).toEqual([100, 100, 50])
  })

  it('gathers what comes while enough calls are under way', async () => {
    const { ask, calls, gates, most } = world({ held: true, callsAtOnce: 2 })
    const answers: Promise<unknown>[] = []
    for (const name of names(12)) {
      answers.push(ask(name))
      await turn()
    }
    expect(calls).toEqual([['p0'], ['p1']])
    gates[0]?.resolve()
    await turn()
    expect(calls[2]).toEqual(names(12).slice(2))
    for (const gate of gates) gate.resolve()
    expect(await Promise.all(answers)).toHaveLength(12)
    expect(most()).toBe(2)
  })

  it('has no more calls under way however many wait', async () => {
    const { ask, calls, most } = world({ callsAtOnce: 2 })
    await Promise.all(names(550).map(ask))
    expect([calls.length, most()]).toEqual([6, 2])
  })

  it('lets one that is at fault fail alone', async () => {
    const { ask, state, calls } = world()
    state.fail = (items) => (items.some((item) => nameOf(item) === 'p13') ? problem('validation_failed') : undefined)
    const settled = await Promise.allSettled(names(64).map(ask))
    expect(settled.flatMap(({ status }, index) => (status === 'rejected' ? [index] : []))).toEqual([13])
    // halved until it stands alone: no call for each of the others
    expect(calls.length).toBeLessThanOrEqual(13)
  })

  it('fails all at once where auth is away, and serves those who come after', async () => {
    const { ask, state, calls } = world()
    state.fail = () => problem('service_unavailable')
    const settled = await Promise.allSettled(names(100).map(ask))
    expect(settled.every(({ status }) => status === 'rejected')).toBe(true)
    expect(calls).toHaveLength(1)
    state.fail = () => undefined
    expect(await ask('later')).toEqual(answerFor(token('later')))
  })

  it('fails those whom an answer leaves out', async () => {
    const resolve = createResolveBatcher({ resolveMany: async (items) => items.slice(1).map(answerFor) })
    const settled = await Promise.allSettled(names(3).map((name) => resolve(token(name))))
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected'])
  })
})
