import { afterAll, describe, expect, it } from '@jest/globals'
import { setTestQuota } from '@wp/testkit'
import { csvOf, officeBody, officeDays, runs, startHarness } from '../fixture/harness.ts'
import { dailyFrom, hourlyFrom } from '../forecast/signals.ts'

const harness = await startHarness()
const source = await harness.createSource()
afterAll(() => harness.stop())

const { series, ...rest } = officeBody()
const fromSource = (more: Record<string, unknown> = {}) => ({
  ...rest,
  data_source_id: source,
  timestamp_field: 'day',
  value_field: 'people',
  ...more,
})

/** Matches a problem with exactly this pointer. */
const refused = (pointer: string, code = 'validation_failed') => ({
  status: 400,
  body: { success: false, code, errors: [{ pointer, detail: expect.any(String) }] },
})

describe('the input', () => {
  it('is either a source or series', async () => {
    expect(await harness.start(rest)).toMatchObject(refused('/data_source_id'))
    const both = await harness.start({
      ...rest,
      series,
      data_source_id: source,
      timestamp_field: 'day',
      value_field: 'p',
    })
    expect(both.status).toBe(400)
    expect(both.body.errors.map(({ pointer }: { pointer: string }) => pointer)).toContain('/data_source_id')
  })

  it('requires fields with a source and forbids them with series', async () => {
    expect(await harness.start(fromSource({ value_field: undefined }))).toMatchObject(refused('/value_field'))
    expect(await harness.start(fromSource({ timestamp_field: undefined }))).toMatchObject(refused('/timestamp_field'))
    expect(await harness.start(officeBody({ group_by: ['building'] }))).toMatchObject(refused('/group_by'))
  })

  it('must name columns of the source', async () => {
    const rows = officeDays().map(({ ts, value }) => [ts, 'north', value])
    const data_source_id = await harness.createSource(csvOf('day,building,people', rows))
    const columns = 'Its columns are "day", "building", "people"'
    const misspelt = { timestamp_field: 'dya', value_field: 'occupancy', group_by: ['building', 'Building'] }
    expect(await harness.start(fromSource({ data_source_id, ...misspelt }))).toMatchObject({
      status: 400,
      body: {
        code: 'validation_failed',
        errors: [
          {
            pointer: '/timestamp_field',
            detail: `"dya" is not a column of the data source; did you mean "day"? ${columns}`,
          },
          { pointer: '/value_field', detail: `"occupancy" is not a column of the data source. ${columns}` },
          {
            pointer: '/group_by/1',
            detail: `"Building" is not a column of the data source; did you mean "building"? ${columns}`,
          },
        ],
      },
    })
    expect((await harness.start(fromSource({ data_source_id, group_by: ['building'] }))).status).toBe(202)
  })

  it('must be a source with records', async () => {
    expect(await harness.start(fromSource())).toMatchObject(refused('/data_source_id'))
    const declared = { name: 'Declared', provider: 'upload', config: { fields: { day: { type: 'timestamp' } } } }
    const created = await harness.call('POST', '/v1/data/sources', { body: declared })
    const { data_source_id } = created.body.data
    expect(await harness.start(fromSource({ data_source_id }))).toMatchObject(refused('/data_source_id'))
  })

  it('names a capacity of one of its groups', async () => {
    const keys = { key: { floor: '2', building: 'north' }, points: officeDays() }
    const answer = await harness.start(officeBody({ series: [keys], capacity: { 'north/2': 9, 'nort/2': 9 } }))
    expect(answer).toMatchObject({
      status: 400,
      body: {
        errors: [
          {
            pointer: '/capacity/nort~12',
            detail: '"nort/2" is not a group key of a series; did you mean "north/2"? The group keys are "north/2"',
          },
        ],
      },
    })
    expect(await harness.start(fromSource({ capacity: { north: 9 } }))).toMatchObject(refused('/capacity'))
  })

  it('must be a source of the same workspace', async () => {
    const none = 'src_01h455vb4pex5vsknk084sn02q'
    expect(await harness.start(fromSource({ data_source_id: none }))).toMatchObject(
      refused('/data_source_id', 'unknown_reference'),
    )
    expect(await harness.start(fromSource(), harness.stranger)).toMatchObject(
      refused('/data_source_id', 'unknown_reference'),
    )
  })

  it('must be a source the caller may read', async () => {
    const narrow = await harness.fleet.token(harness.fleet.owner, 'solutions:run solutions:read')
    const response = await harness.start(fromSource(), narrow)
    expect(response).toMatchObject({
      status: 403,
      body: { code: 'missing_scope', required_scope: 'data:read', detail: expect.stringMatching(/^Forecasting from/) },
    })
    expect((await harness.start(officeBody(), narrow)).status).toBe(202)
  })
})

describe('series', () => {
  it('that are too short are rejected with the required and available length', async () => {
    const short = { key: { building: 'south' }, points: officeDays().slice(-20) }
    const response = await harness.start(officeBody({ series: [...series, short] }))
    expect(response).toMatchObject({
      ...refused('/series/1/points', 'series_too_short'),
      body: { required: 28, available: 20, detail: 'The series needs at least 28 days of history and has 20 days.' },
    })
    const enough = { points: officeDays().slice(-28) }
    expect((await harness.start(officeBody({ series: [enough] }))).status).toBe(202)
    const hours = hourlyFrom('2026-01-05T00:00Z', 335, () => 1)
    const hourly = await harness.start(officeBody({ series: [{ points: hours }], frequency: 'hour', horizon: 24 }))
    expect(hourly).toMatchObject({
      ...refused('/series/0/points', 'series_too_short'),
      body: { required: 336, available: 335 },
    })
    const empty = dailyFrom('2026-01-05', 70, () => 0).map(({ ts }) => ({ ts, value: null }))
    expect(await harness.start(officeBody({ series: [{ points: empty }] }))).toMatchObject({
      body: { code: 'series_too_short', available: 0 },
    })
  })

  it('with an invalid time are rejected with a pointer to it', async () => {
    for (const ts of ['yesterday', '2026-02-30', '2026-03-01T25:00', '05.01.2026', '']) {
      const points = officeDays().with(3, { ts, value: 1 })
      const response = await harness.start(officeBody({ series: [...series, { points }] }))
      expect(response).toMatchObject(refused('/series/1/points/3/ts'))
    }
  })

  it('with times of another format than the requested one are rejected with the time', async () => {
    const timestamp_format = 'DD.MM.YYYY'
    const points = officeDays().map(({ ts, value }) => ({ ts: ts.split('-').reverse().join('.'), value }))
    expect((await harness.start(officeBody({ series: [{ points }], timestamp_format }))).status).toBe(202)
    expect(await harness.start(officeBody({ timestamp_format }))).toMatchObject({
      status: 400,
      body: {
        errors: [{ pointer: '/series/0/points/0/ts', detail: "'2026-01-05' is not a time of the format DD.MM.YYYY" }],
      },
    })
  })

  it.each([
    ['/timestamp_format', { timestamp_format: '%d.%m.%Y' }],
    ['/capacity/north', { capacity: { north: 0 } }],
    ['/timezone', { timezone: 'Europe/Atlantis' }],
    ['/holidays/0', { holidays: ['2026-02-30'] }],
    ['/surprise', { surprise: true }],
  ])('are asked about in words of the contract: %s', async (pointer, more) => {
    expect(await harness.start(officeBody(more))).toMatchObject(refused(pointer))
  })
})

describe('a rejected run', () => {
  it('stores and emits nothing, and its idempotency key can be used again', async () => {
    const headers = { 'idempotency-key': 'second-try' }
    const count = async () => (await harness.rows<{ count: string }>('SELECT count(*) FROM platform.jobs'))[0]?.count
    const before = await count()
    const body = officeBody({ series: [{ points: officeDays().slice(-20) }] })
    expect((await harness.call('POST', runs, { headers, body })).status).toBe(400)
    expect(await count()).toBe(before)
    expect(await harness.rows(`SELECT FROM platform.outbox WHERE kind = 'FORECASTING_FAILED'`)).toEqual([])
    expect((await harness.call('POST', runs, { headers, body: officeBody() })).status).toBe(202)
  })

  it('is one of a workspace that has exhausted its quota of queued runs, and none of another workspace', async () => {
    const { fleet, owner, stranger } = harness
    const { workspaceId } = fleet.stranger
    await setTestQuota(fleet.env('solutions').DATABASE_WORKER_URL, workspaceId, 'queued_jobs', 0)
    expect(await harness.start(officeBody(), stranger)).toMatchObject({
      status: 403,
      body: { code: 'quota_exceeded', quota: 'queued_jobs', kind: 'forecast_run', limit: 0, current: 0 },
    })
    expect((await harness.start(officeBody(), owner)).status).toBe(202)
  })

  it('is not found: an id of another workspace, or an unknown id', async () => {
    const id = await harness.run(officeBody())
    const unknownId = 'fr_01h455vb4pex5vsknk084sn02q'
    for (const [as, named] of [
      [harness.stranger, id],
      [harness.owner, unknownId],
    ] as const) {
      expect(await harness.call('GET', `${runs}/${named}`, { as })).toMatchObject({ status: 404 })
      expect(await harness.call('POST', `${runs}/${named}/cancel`, { as })).toMatchObject({ status: 404 })
    }
    expect(await harness.call('GET', `${runs}/run-1`)).toMatchObject({ status: 404 })
  })
})
