import { describe, expect, it } from '@jest/globals'
import { createLogger } from '@wp/service'
import type { EndedAttempt } from '../../../src/delivery/next-state.ts'
import { createAttemptRecorder } from '../../../src/worker/attempt/attempt-recorder.ts'

const ended = (requestId: string) => ({ claimed: { requestId, attemptCount: 1 } }) as EndedAttempt // the recorder reads nothing else
const log = createLogger('test', 'silent')
const neverAborted = new AbortController().signal
const unavailable = Object.assign(new Error('connection refused'), { code: 'ECONNREFUSED' })

describe('the attempt recorder', () => {
  it('writes attempts that end during a write together in the next one', async () => {
    const batches: string[][] = []
    const gate = Promise.withResolvers<void>()
    const recorder = createAttemptRecorder({
      async write(batch) {
        batches.push(batch.map(({ claimed }) => claimed.requestId))
        if (batches.length === 1) await gate.promise
        return new Set(batches.at(-1))
      },
      signal: neverAborted,
      log,
    })
    const all = ['a', 'b', 'c'].map((id) => recorder.record(ended(id)))
    gate.resolve()
    await Promise.all(all)
    expect(batches).toEqual([['a'], ['b', 'c']])
  })

  it('retries while the database is unavailable', async () => {
    let tries = 0
    const recorder = createAttemptRecorder({
      async write() {
        tries += 1
        if (tries < 3) throw unavailable
        return new Set(['a'])
      },
      signal: neverAborted,
      log,
    })
    await recorder.record(ended('a'))
    expect(tries).toBe(3)
  })

  it('gives up at shutdown while the database is unavailable', async () => {
    const recorder = createAttemptRecorder({
      write: () => Promise.reject(unavailable),
      signal: AbortSignal.abort(),
      log,
    })
    await expect(recorder.record(ended('a'))).resolves.toBeUndefined()
  })

  it('writes the other attempts of a batch when one of them fails', async () => {
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
      signal: neverAborted,
      log,
    })
    const all = ['first', 'a', 'bad', 'b'].map((id) => recorder.record(ended(id)))
    gate.resolve()
    await Promise.all(all)
    expect(written).toEqual(['first', 'a', 'b'])
  })
})
