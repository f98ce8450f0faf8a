import { afterAll, afterEach, describe, expect, it } from '@jest/globals'
import { longBody, officeBody, recommendations, runs, startHarness } from '../fixture/harness.ts'

const harness = await startHarness()
afterEach(async () => {
  for (const { id } of await harness.rows<{ id: string }>(
    `SELECT id FROM platform.jobs WHERE state IN ('queued', 'running')`,
  ))
    await cancel(id)
})
afterAll(() => harness.stop())

const cancel = (id: string) => harness.call('POST', `${runs}/${id}/cancel`)

describe('cancelling a run', () => {
  it('that is queued prevents its start', async () => {
    await harness.waitUntilRunning(await harness.run(longBody()))
    const id = await harness.run(officeBody())
    const response = await cancel(id)
    expect(response).toMatchObject({ status: 200, body: { data: { id, status: 'cancelled', started_at: null } } })
    expect(await harness.waitForEnd(id)).toMatchObject({
      status: 'cancelled',
      finished_at: expect.any(String),
      series: [],
    })
    expect((await harness.audit(id)).map(({ action }) => action)).toEqual([
      'forecast_run.started',
      'forecast_run.cancelled',
    ])
  })

  it('that is running stops it, emits no event and frees its slot', async () => {
    const id = await harness.run(longBody())
    await harness.waitUntilRunning(id)
    expect(await cancel(id)).toMatchObject({ status: 200, body: { data: { status: 'cancelled' } } })
    expect((await harness.waitForEnd(await harness.run(officeBody()))).status).toBe('finished')
    const run = await harness.waitForEnd(id)
    expect(run).toMatchObject({ status: 'cancelled', error: null, series: [] })
    expect(run.progress).toBeLessThan(1)
    expect(await harness.events(id)).toEqual([])
  })

  it('is idempotent, and is a conflict after the end of the run', async () => {
    const id = await harness.run(longBody())
    const first = await cancel(id)
    expect(await cancel(id)).toMatchObject({ status: 200, body: first.body })
    const finished = await harness.run(officeBody())
    await harness.waitForEnd(finished)
    expect(await cancel(finished)).toMatchObject({ status: 409, body: { code: 'conflict' } })
  })
})

describe('deleting a run', () => {
  it('that is running stops it and frees its slot', async () => {
    const id = await harness.run(longBody())
    await harness.waitUntilRunning(id)
    expect(await harness.call('DELETE', `${runs}/${id}`)).toMatchObject({ status: 200, body: { data: { id } } })
    expect((await harness.waitForEnd(await harness.run(officeBody()))).status).toBe('finished')
    expect((await harness.call('GET', `${runs}/${id}`)).status).toBe(404)
    expect((await harness.call('DELETE', `${runs}/${id}`)).status).toBe(404)
    expect(await harness.events(id)).toEqual([])
    expect((await harness.audit(id)).map(({ action }) => action)).toEqual([
      'forecast_run.started',
      'forecast_run.deleted',
    ])
  })

  it('that is finished deletes its open recommendations, but not those that were decided', async () => {
    const id = await harness.run(officeBody())
    await harness.waitForEnd(id)
    const found = (await harness.call('GET', `${recommendations}?forecast_run_id=${id}`)).body.data
    expect(found.length).toBeGreaterThan(0)
    const accepted = await harness.run(officeBody({ external_id: 'decided' }))
    await harness.waitForEnd(accepted)
    // Found again by the later run, they are no longer those of the first one.
    await harness.call('DELETE', `${runs}/${id}`)
    const { body } = await harness.call('GET', `${recommendations}?forecast_run_id=${accepted}&status=open`)
    expect(body.data.map((one: { id: string }) => one.id)).toEqual(found.map((one: { id: string }) => one.id))
    await harness.call('PATCH', `${recommendations}/${found[0].id}`, { body: { status: 'accepted' } })
    await harness.call('DELETE', `${runs}/${accepted}`)
    const left = await harness.call('GET', `${recommendations}?forecast_run_id=${accepted}`)
    expect(left.body.data.map((one: { id: string; status: string }) => [one.id, one.status])).toEqual([
      [found[0].id, 'accepted'],
    ])
  })
})

describe('a revoked or restricted caller', () => {
  /** Creates an API key, and a long run that occupies the only slot. */
  async function waitingRun(scopes: string[]) {
    const made = await harness.call('POST', '/v1/auth/api-key', { body: { name: 'short-lived', scopes } })
    const { api_key: key, key_id: keyId } = made.body.data
    const ahead = await harness.run(longBody())
    await harness.waitUntilRunning(ahead)
    return { key, keyId, ahead }
  }

  it('has its queued run failed, with an event', async () => {
    const { key, keyId, ahead } = await waitingRun(['solutions:run'])
    const id = await harness.run(officeBody(), key)
    expect((await harness.call('DELETE', `/v1/auth/api-key/${keyId}`)).status).toBe(200)
    await cancel(ahead)
    const run = await harness.waitForEnd(id)
    expect(run).toMatchObject({
      status: 'failed',
      series: [],
      error: { code: 'caller_revoked', message: expect.any(String), retryable: false },
    })
    expect(await harness.events(id)).toMatchObject([
      { kind: 'FORECASTING_FAILED', data: { id, status: 'failed', error: { code: 'caller_revoked' } } },
    ])
  })

  it('loses access to the data source before the run starts', async () => {
    const principals = '/v1/auth/admin/service-principals'
    const body = { name: 'forecasts', scopes: ['solutions:run', 'data:read'] }
    const { client_id: clientId, client_secret: clientSecret } = (await harness.call('POST', principals, { body })).body
      .data
    const token = await harness.fleet.token({ ...harness.fleet.owner, clientId, clientSecret })
    const source = await harness.createSource('day,people\n2026-01-05,1')
    const ahead = await harness.run(longBody())
    await harness.waitUntilRunning(ahead)
    const fields = { data_source_id: source, timestamp_field: 'day', value_field: 'people' }
    const { series: _series, ...rest } = officeBody()
    const id = await harness.run({ ...rest, ...fields }, token)
    const narrowed = await harness.call('PATCH', `${principals}/${clientId}`, { body: { scopes: ['solutions:run'] } })
    expect(narrowed.status).toBe(200)
    await cancel(ahead)
    expect(await harness.waitForEnd(id)).toMatchObject({
      status: 'failed',
      error: { code: 'missing_scope', retryable: false },
    })
  })

  it('does not affect runs of other callers', async () => {
    const { keyId, ahead } = await waitingRun(['solutions:run'])
    const id = await harness.run(officeBody())
    await harness.call('DELETE', `/v1/auth/api-key/${keyId}`)
    await cancel(ahead)
    expect((await harness.waitForEnd(id)).status).toBe('finished')
  })
})
