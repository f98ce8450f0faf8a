import { afterAll, describe, expect, it } from '@jest/globals'
import { eventually, startTestFleet } from '@wp/testkit'
import { withClient } from '../support/database.ts'

const fleet = await startTestFleet({ services: ['auth', 'data', 'solutions'] })
afterAll(() => fleet.stop())

async function createSource(fields: object, csv: string): Promise<string> {
  const as = fleet.owner.apiKey
  const body = { name: 'Swipes', provider: 'upload', ...fields }
  const { data } = (await fleet.request('POST', '/v1/data/sources', { as, body })).body
  const headers = { 'content-type': 'text/csv' }
  const path = `/v1/data/sources/${data.data_source_id}/records`
  expect((await fleet.request('POST', path, { as, headers, rawBody: csv })).status).toBe(200)
  return data.data_source_id
}

it('record_access is changed by an owner in person, not by an administrator, a key or a service principal', async () => {
  const { workspaceId } = fleet.owner
  await withClient(fleet.databases.get('auth')?.adminUrl, (client) =>
    client.query('INSERT INTO memberships (workspace_id, user_id, built_in_role) VALUES ($1, $2, $3)', [
      ...[workspaceId, fleet.stranger.ownerId, 'admin'],
    ]),
  )
  const id = await createSource({}, 'a\n1\n')
  const change = (as: string) =>
    fleet.request('PATCH', `/v1/data/sources/${id}`, {
      as,
      body: { record_access: 'aggregates' },
      headers: { 'x-workspace-key': workspaceId },
    })
  for (const as of [
    await fleet.userToken(fleet.stranger.ownerId),
    fleet.owner.apiKey,
    await fleet.token(fleet.owner, 'data:read data:write'),
  ])
    expect(await change(as)).toMatchObject({ status: 403, body: { code: 'owner_required' } })
  expect(await change(await fleet.userToken(fleet.owner.ownerId))).toMatchObject({
    status: 200,
    body: { data: { record_access: 'aggregates' } },
  })
})

describe('a forecast', () => {
  const start = (body: object) =>
    fleet.request('POST', '/v1/solutions/workplace/forecast/runs', {
      as: fleet.owner.apiKey,
      body: { horizon: 3, timezone: 'UTC', ...body },
    })
  const days = Array.from({ length: 40 }, (_, n) => new Date(Date.UTC(2026, 0, 1 + n)).toISOString().slice(0, 10))

  it('has no group for each person', async () => {
    const id = await createSource(
      { config: { pseudonymize: ['User ID'] } },
      `User ID,Day\n${days.map((day) => `zq1,${day}`).join('\n')}\n`,
    )
    const run = { data_source_id: id, timestamp_field: 'Day', aggregation: 'count', frequency: 'day' }
    expect(await start({ ...run, group_by: ['User ID'] })).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '/group_by/0' }] },
    })
    expect((await start(run)).status).toBe(202)
  })

  it('of restricted records quotes none of their values', async () => {
    const id = await createSource(
      { record_access: 'aggregates' },
      `Day,Room\n${days.map((day) => `${day},Zinnoberquarz`).join('\n')}\n`,
    )
    const { body, status } = await start({
      data_source_id: id,
      timestamp_field: 'Day',
      value_field: 'Room',
      frequency: 'day',
    })
    expect(status).toBe(202)
    const failed = await eventually(async () => {
      const run = await fleet.request('GET', `/v1/solutions/workplace/forecast/runs/${body.data.id}`, {
        as: fleet.owner.apiKey,
      })
      return run.body.data.finished_at !== null && run.body.data
    })
    expect(failed).toMatchObject({ status: 'failed', error: { message: expect.stringContaining('is not shown') } })
    expect(JSON.stringify(failed)).not.toContain('Zinnober')
  })
})
