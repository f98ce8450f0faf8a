import { afterAll, describe, expect, it } from '@jest/globals'
import { eventually } from '@wp/testkit'
import { startFaultFleet, waitForDeliveries, withoutDuplicates } from './fixture/fault-fleet.ts'

const faultFleet = await startFaultFleet()
afterAll(() => faultFleet.stop())

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
