import { describe, expect, it } from '@jest/globals'
import { createSearchAdmission } from '../../../src/search/session/search-admission.ts'

const never = new AbortController().signal

/** Starts searches that run until they are finished by hand. */
function startSearches(concurrency: number) {
  const admission = createSearchAdmission({ concurrency, timeoutMs: 60_000 })
  const running: { workspace: string; finish: () => void }[] = []
  const start = (workspace: string) =>
    admission.admit(workspace, never, () => new Promise<void>((finish) => void running.push({ workspace, finish })))
  const listRunning = () => running.map(({ workspace }) => workspace)
  return { start, running, listRunning }
}

/** Lets everything happen that waits for nothing outside. */
const settle = () => new Promise((resolve) => setImmediate(resolve))

describe('search admission', () => {
  it('runs a quarter of the searches for one workspace at once, and those of another without a wait', async () => {
    const { start, running, listRunning } = startSearches(8)
    const hostile = Array.from({ length: 50 }, () => start('hostile'))
    const quiet = start('quiet')
    await settle()
    expect(listRunning()).toEqual(['hostile', 'hostile', 'quiet'])
    running[0]?.finish()
    await settle()
    expect(listRunning()).toEqual(['hostile', 'hostile', 'quiet', 'hostile'])
    for (let nth = 0; nth < running.length; nth++) {
      running[nth]?.finish()
      await settle()
    }
    await Promise.all([...hostile, quiet])
    expect(running).toHaveLength(51)
  })

  it('takes turns by workspace when all slots are taken', async () => {
    const { start, running, listRunning } = startSearches(1)
    const all = ['a', 'a', 'a', 'b', 'c'].map(start)
    for (let nth = 0; nth < all.length; nth++) {
      await settle()
      running[nth]?.finish()
    }
    await Promise.all(all)
    expect(listRunning()).toEqual(['a', 'a', 'b', 'c', 'a'])
  })

  it('frees the slot of a search that fails', async () => {
    const admission = createSearchAdmission({ concurrency: 1, timeoutMs: 60_000 })
    const failing = admission.admit('a', never, () => Promise.reject(new Error('broken')))
    await expect(failing).rejects.toThrow('broken')
    expect(await admission.admit('a', never, async () => 'next')).toBe('next')
  })

  it('ends a running and a waiting search at the deadline, each with its reason', async () => {
    const admission = createSearchAdmission({ concurrency: 1, timeoutMs: 50 })
    const isOver = Promise.withResolvers<void>()
    const running = admission.admit('a', never, async (signal) => {
      await isOver.promise
      signal.throwIfAborted()
    })
    const waiting = admission.admit('a', never, async () => {})
    await expect(waiting).rejects.toMatchObject({
      code: 'search_timeout',
      detail: expect.stringContaining('Too many searches'),
    })
    isOver.resolve()
    await expect(running).rejects.toMatchObject({
      code: 'search_timeout',
      detail: expect.stringContaining('did not end within 50 ms'),
    })
  })
})
