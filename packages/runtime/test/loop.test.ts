import { setImmediate } from 'node:timers/promises'
import { afterEach, describe, expect, it } from '@jest/globals'
import { createLoop, type Loop, type LoopOptions, noLog } from '../src/index.ts'

const longMs = 3_600_000
let loop: Loop
afterEach(() => loop.stop())

/** A pass that the test ends by hand; `nextPass` resolves when the next one has begun. */
function createManualPass() {
  let begun = Promise.withResolvers<PromiseWithResolvers<'more' | 'idle'>>()
  let running = 0
  let maxRunning = 0
  const pass = async (): Promise<'more' | 'idle'> => {
    running += 1
    maxRunning = Math.max(maxRunning, running)
    const result = Promise.withResolvers<'more' | 'idle'>()
    begun.resolve(result)
    return result.promise.finally(() => {
      running -= 1
    })
  }
  const nextPass = async () => {
    const result = await begun.promise
    begun = Promise.withResolvers()
    return result
  }
  return { pass, nextPass, maxRunning: () => maxRunning }
}

async function startLoop(options: Pick<LoopOptions, 'pass'> & Partial<LoopOptions>): Promise<void> {
  const backoff = { firstMs: longMs, maxMs: longMs }
  loop = createLoop({ name: 'test', pollMs: longMs, backoff, log: noLog, ...options })
  await loop.start()
}

describe('a loop', () => {
  it('runs the next pass without a pause when there is more to do', async () => {
    const { pass, nextPass } = createManualPass()
    await startLoop({ pass })
    const first = await nextPass()
    first.resolve('more')
    const second = await nextPass()
    second.resolve('idle')
  })

  it('runs a pass when it is woken, and never two at once', async () => {
    const { pass, nextPass, maxRunning } = createManualPass()
    await startLoop({ pass })
    const first = await nextPass()
    loop.wake()
    loop.wake()
    first.resolve('idle')
    const second = await nextPass()
    second.resolve('idle')
    expect(maxRunning()).toBe(1)
  })

  it('runs no second pass for wakes within their interval, but one on retry', async () => {
    let passes = 0
    const pass = async () => {
      passes += 1
      return 'idle' as const
    }
    await startLoop({ pass, wakeIntervalMs: longMs })
    loop.wake()
    await setImmediate()
    expect(passes).toBe(2)
    loop.wake()
    await setImmediate()
    expect(passes).toBe(2)
    loop.retry()
    await setImmediate()
    expect(passes).toBe(3)
  })

  it('runs the next pass when the work that the pass announced is due', async () => {
    const third = Promise.withResolvers<void>()
    let passes = 0
    const pass = async () => {
      passes += 1
      if (passes === 3) third.resolve()
      return passes === 1 ? 2 : -1
    }
    await startLoop({ pass })
    await third.promise
  })

  it('polls when nothing wakes it', async () => {
    const third = Promise.withResolvers<void>()
    let passes = 0
    const pass = async () => {
      passes += 1
      if (passes === 3) third.resolve()
      return 'idle' as const
    }
    await startLoop({ pass, pollMs: 1 })
    await third.promise
  })

  it('logs a failed pass, and ends the pause after it on retry', async () => {
    const { pass, nextPass } = createManualPass()
    const logged = Promise.withResolvers<object>()
    await startLoop({ pass, log: { ...noLog, warn: logged.resolve } })
    const first = await nextPass()
    first.reject(new Error('unavailable'))
    expect(await logged.promise).toMatchObject({ event: 'worker.pass_failed', worker: 'test', failures: 1 })
    loop.retry()
    const second = await nextPass()
    second.resolve('idle')
  })

  it('waits for the pass in progress when it is stopped', async () => {
    const { pass, nextPass } = createManualPass()
    await startLoop({ pass })
    const first = await nextPass()
    let isStopped = false
    const stopped = loop.stop().then(() => {
      isStopped = true
    })
    await Promise.resolve()
    expect(isStopped).toBe(false)
    first.resolve('more')
    await stopped
  })
})
