import { describe, expect, it } from '@jest/globals'
import { createLogger } from '@wp/service'
import type { EndedAttempt } from '../../src/delivery/ended-attempt.ts'
import { createAttemptRecorder } from '../../src/worker/attempt-recorder.ts'

const ended = (requestId: string) => ({ claimed: { requestId, number: 1 } }) as EndedAttempt // the recorder looks at no more
const log = createLogger('test', 'silent')
const never = new AbortController().signal
const away = Object.assign(new Error('connection refused'), { code: 'ECONNREFUSED' })

describe('the recorder', () => {
  it('writes what comes during a write together in the next one', async () => {
    const batches: string[][] = []
    const gate = Promise.withResolvers<void>()
    const recorder = createAttemptRecorder({
      async write(batch) {
        batches.push(batch.map(({ claimed }) => claimed.requestId))
        if (batches.length === 1) await gate.promise
        return new Set(batches.at(-1))
      },
      signal: never,
      log,
    })
    const all = ['a', 'b', 'c'].map((id) => recorder.record(ended(id)))
    gate.resolve()
    await Promise.all(all)
    expect(batches).toEqual([['a'], ['b', 'c']])
  })

  it('keeps trying while the database is away', async () => {
    let tries = 0
    const recorder = createAttemptRecorder({
      async write() {
        tries += 1
        if (tries < 3) throw away
        return new Set(['a'])
      },
      signal: never,
      log,
    })
    await recorder.record(ended('a'))
    expect(tries).toBe(3)
  })

  it('gives up what cannot be written because the process ends', async () => {
    const recorder = createAttemptRecorder({
      write: () => Promise.reject(away),
      signal: AbortSignal.abort(),
      log,
    })
    await expect(recorder.record(ended('a'))).resolves.toBeUndefined()
  })

  it('does not let one that cannot be written take the others with it', async () => {
    const written: string[] = []
    const gate = Promise.withResolvers<void>()
    const recorder = createAttemptRecorder({
      async write(batch) {
        const ids = batch.map(({ claimed }) => claimed.requestId)
        if (ids.includes('first')) await gate.promise
        if (ids.includes('bad')) throw new Error('invalid input syntax')
        written.push(...ids)
        return new Set(ids)
      },
      signal: never,
      log,
    })
    const all = ['first', 'a', 'bad', 'b'].map((id) => recorder.record(ended(id)))
    gate.resolve()
    await Promise.all(all)
    expect(written).toEqual(['first', 'a', 'b'])
  })
})
