import { afterAll, expect, it } from '@jest/globals'
import { eventually, startTestFleet } from '@wp/testkit'
import { queryAsWorker, withClient } from '../support/database.ts'

const fleet = await startTestFleet({ processes: ['data'], services: ['auth', 'data', 'integrations'] })
afterAll(() => fleet.stop())

const request = (method: string, path: string, body?: unknown) =>
  fleet.request(method, path, { as: fleet.owner.apiKey, body })
const listUses = (integrationId: string) =>
  queryAsWorker<{ id: string }>(
    fleet.env('integrations'),
    'SELECT id FROM integration_uses WHERE integration_id = $1',
    [integrationId],
  )

it('a registered use is released when the process is killed before its source is inserted', async () => {
  const config = { base_url: 'http://127.0.0.1:9009/api' }
  const made = await request('POST', '/v1/integrations/integrations', { provider: 'http', name: 'Doors', config })
  const integrationId: string = made.body.data.integration_id
  const path = `/v1/integrations/integrations/${integrationId}`

  await withClient(fleet.env('data').DATABASE_WORKER_URL, async (client) => {
    // The table lock blocks the insert of the source, after the use is registered.
    await client.query('BEGIN')
    await client.query('LOCK TABLE data_sources IN ROW EXCLUSIVE MODE')
    await client.query('LOCK TABLE data_sources IN SHARE MODE')
    const body = {
      name: 'Doors',
      provider: 'http',
      integration_id: integrationId,
      config: { url: `${config.base_url}/x` },
    }
    const creating = request('POST', '/v1/data/sources', body)
    await eventually(async () => (await listUses(integrationId)).length === 1, { description: 'the use' })
    await fleet.member('data').kill()
    expect((await creating).status).toBeGreaterThanOrEqual(500)
    await client.query('ROLLBACK')
  })
  await fleet.restart('data')
  expect((await request('GET', '/v1/data/sources')).body.data).toEqual([])
  expect((await request('DELETE', path)).status).toBe(409)

  // The release is queued for a minute later; make it due now.
  const due = `UPDATE platform.jobs SET run_at = now() WHERE queue = 'release' AND state = 'queued' RETURNING id`
  expect(await queryAsWorker(fleet.env('data'), due)).toHaveLength(1)
  await eventually(async () => (await listUses(integrationId)).length === 0, { description: 'the end of the use' })
  expect((await request('DELETE', path)).status).toBe(200)
})
