import { afterAll, describe, expect, it } from '@jest/globals'
import { officeBody, officeDays, runs, startHarness } from '../fixture/harness.ts'

const harness = await startHarness({ FORECAST_CONCURRENCY: '4' })
afterAll(() => harness.stop())

/** A request that takes a thread much longer than a run of one series, in a smaller body than `longBody`. */
const slowBody = () =>
  officeBody({ series: Array.from({ length: 150 }, (_, desk) => ({ key: { desk: `${desk}` }, points: officeDays() })) })

const states = async (ids: readonly string[]) => {
  const rows = await harness.rows<{ id: string; state: string; failures: number; lost_leases: number }>(
    'SELECT id, state, failures, lost_leases FROM platform.jobs WHERE id = ANY ($1) ORDER BY id',
    [ids],
  )
  return rows.map(({ state, failures, lost_leases }) => ({ state, failures, lost_leases }))
}

describe('a short run of a workspace', () => {
  it('is finished while the slow runs of another would occupy all slots', async () => {
    const slow: string[] = []
    for (let count = 0; count < 4; count += 1) slow.push(await harness.run(slowBody()))
    for (const id of slow) await harness.waitUntilRunning(id)
    const short = await harness.run(officeBody(), harness.stranger)
    expect(await harness.waitForEnd(short, harness.stranger)).toMatchObject({ status: 'finished', error: null })

    // A lent slot was taken back; its run counts no failure and has not lost a lease.
    const found = await states(slow)
    expect(found.every(({ failures, lost_leases }) => failures === 0 && lost_leases === 0)).toBe(true)
    expect(found.filter(({ state }) => state === 'finished' || state === 'failed')).toEqual([])
    for (const id of slow) await harness.call('POST', `${runs}/${id}/cancel`)
  })
})
