import { afterAll, describe, expect, it } from '@jest/globals'
import { eventually } from '@wp/testkit'
import { createScheduleWorker } from '../../src/background/index.ts'
import { openTestEnvironment } from '../fixture/test-environment.ts'

const environment = await openTestEnvironment()
afterAll(() => environment.close())

describe('the worker of a schedule', () => {
  it('runs a pass at once when its queue is woken, not for other queues', async () => {
    const wakes: ((queue: string) => void)[] = []
    let passes = 0
    const schedule = {
      name: 'test',
      everyMs: 3_600_000,
      wakeQueue: 'woken',
      async pass() {
        passes += 1
        return 'idle' as const
      },
    }
    const database = {
      onWake(wake: (queue: string) => void) {
        wakes.push(wake)
        return () => void wakes.splice(0)
      },
    }
    const worker = createScheduleWorker(schedule, { database, log: environment.log })
    await worker.start()
    await eventually(() => passes === 1)
    for (const wake of wakes) wake('another')
    for (const wake of wakes) wake('woken')
    await eventually(() => passes === 2)
    await worker.stop()
    expect(wakes).toEqual([])
  })

  it('waits for the pass in progress when it stops, and starts no other', async () => {
    let passes = 0
    const isAborted: boolean[] = []
    const schedule = {
      name: 'test',
      everyMs: 1,
      async pass(signal: AbortSignal) {
        passes += 1
        await new Promise((resolve) => signal.addEventListener('abort', resolve))
        isAborted.push(signal.aborted)
        return 'more' as const
      },
    }
    const worker = createScheduleWorker(schedule, environment)
    await worker.start()
    await eventually(() => passes === 1)
    await worker.stop()
    expect([passes, isAborted]).toEqual([1, [true]])
  })
})
