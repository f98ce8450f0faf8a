import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { eventually } from '@wp/testkit'
import { loadOffice, type Office } from '@wp/testkit/company'
import { Client } from 'pg'
import { type Harness, recommendations, startHarness } from '../fixture/harness.ts'

let harness: Harness
let office: Office
let other: Client
beforeAll(async () => {
  harness = await startHarness({ FORECAST_CONCURRENCY: '2' }, { processes: ['solutions'] })
  office = await loadOffice(harness.client)
  other = new Client({ connectionString: harness.fleet.databases.get('solutions')?.adminUrl ?? '' })
  await other.connect()
})
afterAll(async () => {
  await other?.end()
  await harness?.stop()
})

/** Makes transactions that record recommendations wait. @returns the release */
async function holdRecommendations(): Promise<() => Promise<unknown>> {
  const key = [`recommendations/${harness.fleet.owner.workspaceId}`]
  await other.query('SELECT pg_advisory_lock(hashtextextended($1, 3))', key)
  return () => other.query('SELECT pg_advisory_unlock(hashtextextended($1, 3))', key)
}

const isWaiting = async () => {
  const waiting = await harness.rows(
    `SELECT FROM pg_locks JOIN pg_database ON database = pg_database.oid
     WHERE datname = current_database() AND locktype = 'advisory' AND NOT granted`,
  )
  return waiting.length > 0
}
const states = async (): Promise<string[]> =>
  (await harness.rows<{ state: string }>(`SELECT state FROM platform.jobs WHERE queue = 'scenario' ORDER BY id`)).map(
    ({ state }) => state,
  )
const untilSolved = () =>
  eventually(async () => (await states()).every((state) => state === 'finished' || state === 'cancelled'), {
    description: 'the end of all scenarios',
  })
const created = () => harness.rows(`SELECT FROM platform.outbox WHERE kind = 'RECOMMENDATION_CREATED'`)

describe('a site', () => {
  it('has one scenario and one recommendation when the process is killed while it records them', async () => {
    const release = await holdRecommendations()
    await office.forecast()
    await eventually(isWaiting, { description: 'the scenario recording its recommendation' })
    await harness.fleet.member('solutions').kill()
    await harness.rows(`UPDATE platform.jobs SET lease_until = now() WHERE state = 'running'`)
    await release()
    await harness.fleet.restart('solutions')
    await untilSolved()
    expect(await states()).toEqual(['finished'])
    expect(await harness.client.read(recommendations)).toHaveLength(1)
    expect(await created()).toHaveLength(1)
  })

  it('has one recommendation, of the later scenario, when forecasts end while one is recorded', async () => {
    const release = await holdRecommendations()
    const runs = [office.forecast(), office.forecast()]
    await eventually(isWaiting, { description: 'the first scenario recording its recommendation' })
    await release()
    await Promise.all(runs)
    await untilSolved()
    const [last] = await harness.rows<{ id: string }>(
      `SELECT id FROM platform.jobs WHERE queue = 'scenario' AND state = 'finished' ORDER BY id DESC LIMIT 1`,
    )
    expect(await harness.client.read(recommendations)).toEqual([
      expect.objectContaining({ scenario_id: last?.id, status: 'open' }),
    ])
    expect(await created()).toHaveLength(1)
  })
})
