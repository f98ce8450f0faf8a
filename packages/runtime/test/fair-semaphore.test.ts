import { describe, expect, it } from '@jest/globals'
import { FairSemaphore, SemaphoreTimeout } from '../src/index.ts'

const maxWaitMs = 3_600_000

/** Calls `acquire` and records the order in which slots are given. */
function createRecorder(semaphore: FairSemaphore) {
  const given: string[] = []
  const releases = new Map<string, (() => void)[]>()
  return {
    given,
    acquire: (key: string) =>
      void semaphore.acquire(key).then((release) => {
        given.push(key)
        releases.set(key, [...(releases.get(key) ?? []), release])
      }),
    /** Frees the oldest slot of a key. */
    async release(key: string) {
      releases.get(key)?.shift()?.()
      await flush()
    },
  }
}

/** Lets every settled promise call its reactions. */
const flush = () => new Promise<void>((resolve) => setImmediate(resolve))

const repeat = (times: number, action: () => void) => Array.from({ length: times }, action)

describe('a fair semaphore', () => {
  it('gives the next slot to the key that waits, whatever the queue of another key', async () => {
    const semaphore = new FairSemaphore({ size: 1, maxWaitMs })
    const { given, acquire, release } = createRecorder(semaphore)
    repeat(500, () => acquire('hostile'))
    acquire('one')
    acquire('one')
    acquire('two')
    await flush()
    for (const key of ['hostile', 'hostile', 'one', 'two', 'hostile', 'one']) await release(key)
    expect(given).toEqual(['hostile', 'hostile', 'one', 'two', 'hostile', 'one', 'hostile'])
    expect(semaphore.waiting).toBe(500 - 4)
  })

  it('leaves slots to other keys when one key has reached its maximum', async () => {
    const semaphore = new FairSemaphore({ size: 3, maxPerKey: 2, maxWaitMs })
    const { given, acquire, release } = createRecorder(semaphore)
    repeat(4, () => acquire('hostile'))
    await flush()
    expect(given).toEqual(['hostile', 'hostile'])
    acquire('quiet')
    await flush()
    expect(given).toEqual(['hostile', 'hostile', 'quiet'])
    await release('quiet')
    expect(given).toHaveLength(3)
    await release('hostile')
    expect(given).toHaveLength(4)
  })

  it('never exceeds its size or the maximum of a key, and none waits more than a turn, for any mix of keys', async () => {
    const [size, maxPerKey] = [4, 2]
    const semaphore = new FairSemaphore({ size, maxPerKey, maxWaitMs })
    const { given, acquire, release } = createRecorder(semaphore)
    const held = new Map<string, number>()
    const waitingKeys = new Map<string, number>()
    const turnsWaited = new Map<string, Map<string, number>>()
    const random = createRandom(7)
    for (let step = 0; step < 3_000; step++) {
      // One key asks as often as all others together.
      const key = random() < 0.5 ? 'k0' : `k${Math.floor(random() * 6)}`
      if (random() < 0.55) {
        acquire(key)
        waitingKeys.set(key, (waitingKeys.get(key) ?? 0) + 1)
        if (!turnsWaited.has(key)) turnsWaited.set(key, new Map())
      } else if ((held.get(key) ?? 0) > 0) {
        held.set(key, (held.get(key) ?? 0) - 1)
        await release(key)
      }
      await flush()
      for (const served of given.splice(0)) {
        held.set(served, (held.get(served) ?? 0) + 1)
        waitingKeys.set(served, (waitingKeys.get(served) ?? 0) - 1)
        for (const [other, turns] of turnsWaited) {
          if (other === served || (waitingKeys.get(other) ?? 0) === 0 || (held.get(other) ?? 0) >= maxPerKey) continue
          turns.set(served, (turns.get(served) ?? 0) + 1)
          expect(turns.get(served)).toBeLessThanOrEqual(1)
        }
        turnsWaited.set(served, new Map())
        expect(held.get(served)).toBeLessThanOrEqual(maxPerKey)
      }
      expect([...held.values()].reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(size)
    }
  })

  it('stops waiting after the maximum time, and when the signal is aborted', async () => {
    const semaphore = new FairSemaphore({ size: 1, maxWaitMs: 5 })
    const release = await semaphore.acquire('one')
    await expect(semaphore.acquire('two')).rejects.toBeInstanceOf(SemaphoreTimeout)
    const controller = new AbortController()
    const aborted = semaphore.acquire('two', controller.signal)
    controller.abort(new Error('the client went away'))
    await expect(aborted).rejects.toThrow('the client went away')
    await expect(semaphore.acquire('two', controller.signal)).rejects.toThrow('the client went away')
    expect(semaphore.waiting).toBe(0)
    release()
    release()
    await semaphore.acquire('two')
    await expect(semaphore.acquire('one')).rejects.toBeInstanceOf(SemaphoreTimeout)
  })
})

/** Mulberry32: the same sequence in every run. */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
