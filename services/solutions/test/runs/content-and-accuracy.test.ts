import { afterAll, describe, expect, it } from '@jest/globals'
import { csvOf, longBody, officeBody, officeDays, runs, startHarness } from '../fixture/harness.ts'
import { dailyFrom } from '../forecast/signals.ts'

const harness = await startHarness()
afterAll(() => harness.stop())

const content = (id: string, query = '', as = harness.owner) =>
  harness.call('GET', `${runs}/${id}/content${query}`, { as })
const accuracy = (id: string, as = harness.owner) => harness.call('GET', `${runs}/${id}/accuracy`, { as })

describe('the content of a run', () => {
  it('is a CSV file with one row for each point', async () => {
    const id = await harness.run(officeBody())
    const run = await harness.waitForEnd(id)
    const file = await content(id)
    expect(file.status).toBe(200)
    expect(file.headers.get('content-type')).toBe('text/csv')
    expect(file.headers.get('content-disposition')).toBe(`attachment; filename="${id}.csv"`)
    const [header, ...rows] = String(file.body).trimEnd().split('\r\n')
    expect(header).toBe('building,ts,mean,lower_80,upper_80,lower_95,upper_95')
    expect(rows.map((row) => row.split(',').slice(0, 3))).toEqual(
      run.series[0].points.map(({ ts, mean }: { ts: string; mean: number }) => ['north', ts, `${mean}`]),
    )
    const same = await harness.call('GET', `${runs}/${id}/content`, {
      headers: { 'if-none-match': file.headers.get('etag') ?? '' },
    })
    expect(same.status).toBe(304)
    expect((await content(id, '?format=json')).body).toEqual([
      { key: { building: 'north' }, points: run.series[0].points },
    ])
    expect((await content(id, '?format=xlsx')).status).toBe(400)
    expect((await content(id, '', harness.stranger)).status).toBe(404)
  })

  it('is a conflict before the end of the run', async () => {
    const id = await harness.run(longBody())
    expect(await content(id)).toMatchObject({ status: 409, body: { code: 'conflict' } })
    expect(await accuracy(id)).toMatchObject({ status: 409, body: { code: 'conflict' } })
    await harness.call('POST', `${runs}/${id}/cancel`)
    expect((await content(id)).body.detail).toBe('The run is cancelled; only a finished run has points')
  })
})

describe('the accuracy of a run', () => {
  const fields = { timestamp_field: 'day', value_field: 'people', group_by: ['building'] }

  it('compares it with the values that the source has now', async () => {
    const rowsOf = (building: string) => officeDays().map(({ ts, value }) => [ts, building, value])
    const source = await harness.createSource(csvOf('day,building,people', [...rowsOf('north'), ...rowsOf('south')]))
    const { series: _series, ...options } = officeBody()
    const id = await harness.run({ ...options, ...fields, data_source_id: source })
    await harness.waitForEnd(id)
    const empty = await accuracy(id)
    expect(empty).toMatchObject({ status: 200, body: { data: { id, steps: 0, mase: null, wape: null, coverage: {} } } })

    const actual = dailyFrom('2026-03-16', 3, (day) => [100, 101, 152][day] ?? 0)
    const rawBody = csvOf(
      'day,building,people',
      actual.map(({ ts, value }) => [ts, 'north', value]),
    )
    const sent = await harness.call('POST', `/v1/data/sources/${source}/records`, {
      rawBody,
      headers: { 'content-type': 'text/csv' },
    })
    expect(sent.status).toBe(200)
    const { data } = (await accuracy(id)).body
    expect(data).toMatchObject({ id, steps: 3, wape: expect.closeTo(50 / 353, 2) })
    expect(data.coverage['80']).toBeLessThan(1)
    expect(
      data.series.map(({ key, steps }: { key: { building: string }; steps: number }) => [key.building, steps]),
    ).toEqual([
      ['north', 3],
      ['south', 0],
    ])
    expect(data.series[0]).toMatchObject({ wape: data.wape })

    const reader = await harness.fleet.token(harness.fleet.owner, 'solutions:read')
    expect(await accuracy(id, reader)).toMatchObject({ status: 403, body: { required_scope: 'data:read' } })
    expect((await accuracy(id, harness.stranger)).status).toBe(404)
    await harness.call('DELETE', `/v1/data/sources/${source}`)
    expect((await accuracy(id)).body).toMatchObject({
      code: 'conflict',
      detail: 'The data source of the run was deleted',
    })
  })

  it('is a conflict for inline series', async () => {
    const id = await harness.run(officeBody())
    await harness.waitForEnd(id)
    expect(await accuracy(id)).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining('inline series') },
    })
  })
})
