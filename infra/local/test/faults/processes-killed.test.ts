import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, describe, expect, it } from '@jest/globals'
import { eventually, startPostgres } from '@wp/testkit'
import { startFaultFleet, waitForDeliveries, withoutDuplicates } from './fixture/fault-fleet.ts'

const postgres = await startPostgres()
const faultFleet = await startFaultFleet({ postgresUrl: postgres.url })
afterAll(async () => {
  await faultFleet.stop()
  await postgres.stop()
})

/** Longer than the lease of a run, so that a running job must be claimed again. */
const outageMs = 2_500

const count = async (service: 'solutions' | 'webhook-delivery', from: string) =>
  (await faultFleet.query<{ count: number }>(service, `SELECT count(*)::integer AS count FROM ${from}`))[0]?.count

/** Runs `work` while unconsumed events are on the broker: the consumer is suspended until `resume` is called. */
async function withUnconsumedEvents(work: (keys: string[], resume: () => void) => Promise<void>): Promise<void> {
  const pid = faultFleet.fleet.member('webhook-delivery').pid ?? 0
  const begin = () => void process.kill(pid, 'SIGCONT')
  process.kill(pid, 'SIGSTOP')
  try {
    const keys = await faultFleet.createKeys(40)
    const all = await faultFleet.countInOutbox('auth', 'API_KEY_CREATED')
    const isStored = async () => (await faultFleet.countOnStream('auth', 'API_KEY_CREATED')) === all
    await eventually(isStored, { intervalMs: 100 })
    await work(keys, begin)
  } finally {
    // A suspended process does not handle SIGTERM.
    begin()
  }
}

const jobOf = async (id: string) => {
  const [job] = await faultFleet.query<{ state: string; progress: number; takeovers: number }>(
    'solutions',
    'SELECT state, progress, lost_leases AS takeovers FROM platform.jobs WHERE id = $1',
    [id],
  )
  return job
}

describe('a forecast run whose process is killed', () => {
  it('is claimed by another process, finishes, and emits one event', async () => {
    await faultFleet.subscribe('/hook', ['FORECASTING_FINISHED'])
    const id = await faultFleet.startForecast(40)
    await eventually(async () => {
      const job = await jobOf(id)
      return job?.state === 'running' && job.progress > 0.2
    })
    await faultFleet.fleet.member('solutions').kill()
    expect(await jobOf(id)).toMatchObject({ state: 'running', takeovers: 0 })
    await faultFleet.fleet.restart('solutions')
    await waitForDeliveries(faultFleet.receiver, '/hook', [id])
    expect(await jobOf(id)).toEqual({ state: 'finished', progress: 1, takeovers: 1 })
    const run = await faultFleet.waitForRun(id)
    expect(run).toMatchObject({ status: 'finished', error: null })
    expect(run.series).toHaveLength(40)

    // A duplicate event would be delivered before the event of the next run.
    const next = await faultFleet.startForecast()
    const told = await waitForDeliveries(faultFleet.receiver, '/hook', [next])
    expect(told).toEqual([
      { requestId: expect.any(String), event: 'FORECASTING_FINISHED', id, attempt: 1 },
      { requestId: expect.any(String), event: 'FORECASTING_FINISHED', id: next, attempt: 1 },
    ])
    expect(withoutDuplicates(told)).toHaveLength(2)
    expect(await faultFleet.countOnStream('solutions', 'FORECASTING_FINISHED')).toBe(2)
  })
})

describe('a database outage while jobs and deliveries run', () => {
  // A shutdown, which ends sessions in order, is one of the faults of the chaos test, while deliveries run.
  it('loses none of them after a crash', async () => {
    const path = '/crash'
    await faultFleet.subscribe(path, ['API_KEY_CREATED', 'FORECASTING_FINISHED'])
    faultFleet.receiver.holdResponses()
    const sent = await faultFleet.createKeys(20)
    const runs = [await faultFleet.startForecast(1), await faultFleet.startForecast(1)]
    await eventually(() => faultFleet.receiver.inFlight.now > 0)
    const waiting: string[] = []
    await withUnconsumedEvents(async (keys, begin) => {
      waiting.push(...keys)
      runs.push(await faultFleet.startForecast(60))
      await eventually(async () => Number(await count('solutions', `platform.jobs WHERE state = 'running'`)) > 0)
      begin()
      await postgres.kill('SIGKILL')
      await pause(outageMs)
      await postgres.restart()
    })
    faultFleet.receiver.releaseResponses()

    const told = await waitForDeliveries(faultFleet.receiver, path, [...sent, ...waiting, ...runs])
    const ids = withoutDuplicates(told).map(({ id }) => id)
    expect(ids.sort()).toEqual([...sent, ...waiting, ...runs].sort())
    for (const run of runs) expect(await faultFleet.waitForRun(run)).toMatchObject({ status: 'finished', error: null })
    await eventually(async () => (await count('webhook-delivery', `deliveries WHERE status <> 'delivered'`)) === 0)
    expect(await count('webhook-delivery', 'platform.dead_events')).toBe(0)
  })
})
