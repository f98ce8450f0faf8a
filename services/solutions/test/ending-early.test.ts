import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { longBody, officeBody, openWorld, runs, type World } from './fixture/world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterEach(async () => {
  for (const { id } of await world.rows<{ id: string }>(
    `SELECT id FROM platform.jobs WHERE state IN ('queued', 'running')`,
  ))
    await cancel(id)
})
afterAll(() => world?.stop())

const cancel = (id: string) => world.call('POST', `${runs}/${id}/cancel`)

describe('cancelling a run', () => {
  it('that waits, it never begins', async () => {
    await world.running(await world.run(longBody()))
    const id = await world.run(officeBody())
    const answer = await cancel(id)
    expect(answer).toMatchObject({ status: 200, body: { data: { id, status: 'cancelled', started_at: null } } })
    expect(await world.ended(id)).toMatchObject({ status: 'cancelled', finished_at: expect.any(String), series: [] })
    expect((await world.audit(id)).map(({ action }) => action)).toEqual([
      'forecast_run.started',
      'forecast_run.cancelled',
    ])
  })

  it('that runs, it stops at once, says nothing, and makes room for the next', async () => {
    const id = await world.run(longBody())
    await world.running(id)
    const began = performance.now()
    expect(await cancel(id)).toMatchObject({ status: 200, body: { data: { status: 'cancelled' } } })
    expect((await world.ended(await world.run(officeBody()))).status).toBe('finished')
    expect(performance.now() - began).toBeLessThan(5_000)
    const run = await world.ended(id)
    expect(run).toMatchObject({ status: 'cancelled', error: null, series: [] })
    expect(run.progress).toBeLessThan(1)
    expect(await world.events(id)).toEqual([])
  })

  it('twice is as once, and one that has ended is a conflict', async () => {
    const id = await world.run(longBody())
    const first = await cancel(id)
    expect(await cancel(id)).toMatchObject({ status: 200, body: first.body })
    const finished = await world.run(officeBody())
    await world.ended(finished)
    expect(await cancel(finished)).toMatchObject({ status: 409, body: { code: 'conflict' } })
  })
})

describe('who may no longer act', () => {
  /** A run that waits behind a long one, started under a key of its own. */
  async function waitingRun(scopes: string[]) {
    const made = await world.call('POST', '/v1/auth/api-key', { body: { name: 'short-lived', scopes } })
    const { api_key: key, key_id: keyId } = made.body.data
    const ahead = await world.run(longBody())
    await world.running(ahead)
    return { key, keyId, ahead }
  }

  it('has its run failed before it begins, and said so', async () => {
    const { key, keyId, ahead } = await waitingRun(['solutions:run'])
    const id = await world.run(officeBody(), key)
    expect((await world.call('DELETE', `/v1/auth/api-key/${keyId}`)).status).toBe(200)
    await cancel(ahead)
    const run = await world.ended(id)
    expect(run).toMatchObject({
      status: 'failed',
      series: [],
      error: { code: 'caller_revoked', message: expect.any(String), retryable: false },
    })
    expect(await world.events(id)).toMatchObject([
      { kind: 'FORECASTING_FAILED', data: { id, status: 'failed', error: { code: 'caller_revoked' } } },
    ])
  })

  it('reads no more than it may read by then', async () => {
    const principals = '/v1/auth/admin/service-principals'
    const body = { name: 'forecasts', scopes: ['solutions:run', 'data:read'] }
    const { client_id: clientId, client_secret: clientSecret } = (await world.call('POST', principals, { body })).body
      .data
    const token = await world.fleet.token({ ...world.fleet.owner, clientId, clientSecret })
    const source = await world.source('day,people\n2026-01-05,1')
    const ahead = await world.run(longBody())
    await world.running(ahead)
    const fields = { data_source_id: source, timestamp_field: 'day', value_field: 'people' }
    const { series: _series, ...rest } = officeBody()
    const id = await world.run({ ...rest, ...fields }, token)
    const narrowed = await world.call('PATCH', `${principals}/${clientId}`, { body: { scopes: ['solutions:run'] } })
    expect(narrowed.status).toBe(200)
    await cancel(ahead)
    expect(await world.ended(id)).toMatchObject({
      status: 'failed',
      error: { code: 'missing_scope', retryable: false },
    })
  })

  it('leaves other runs alone', async () => {
    const { keyId, ahead } = await waitingRun(['solutions:run'])
    const id = await world.run(officeBody())
    await world.call('DELETE', `/v1/auth/api-key/${keyId}`)
    await cancel(ahead)
    expect((await world.ended(id)).status).toBe('finished')
  })
})
