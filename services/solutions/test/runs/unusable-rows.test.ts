import { afterAll, describe, expect, it } from '@jest/globals'
import { csvOf, officeDays, recommendations, runs, startHarness } from '../fixture/harness.ts'

const harness = await startHarness()
afterAll(() => harness.stop())

const fields = { timestamp_field: 'day', value_field: 'people', frequency: 'day', timezone: 'UTC', horizon: 7 }
/** Declared as text, the values reach the run as they are in the file. */
const asText = { fields: { day: { type: 'string' }, people: { type: 'string' } } }

async function runOver(rows: readonly (readonly unknown[])[], more: Record<string, unknown> = {}) {
  const data_source_id = await harness.createSource(csvOf('day,building,people', rows), asText)
  return harness.waitForEnd(await harness.run({ ...fields, data_source_id, ...more }))
}

const rowsOf = (building: string, valueAt = (value: number, _day: number): unknown => value) =>
  officeDays().map(({ ts, value }, day) => [ts, building, valueAt(value ?? 0, day)])
const kindsOf = async (runId: string): Promise<{ kind: string; key: object }[]> => {
  const { body } = await harness.call('GET', `${recommendations}?forecast_run_id=${runId}&limit=100`)
  return body.data.map(({ kind, key }: { kind: string; key: object }) => ({ kind, key }))
}

describe('a run', () => {
  it('fails with the most frequent reasons when a format reads half of the dates', async () => {
    const rows = officeDays().map(({ ts, value }) => [`${ts.split('-').reverse().join('/')}`, 'north', value])
    const run = await runOver(rows, { timestamp_format: 'MM/DD/YYYY' })
    expect(run).toMatchObject({
      status: 'failed',
      series: [],
      error: { code: 'too_few_usable_rows', retryable: false },
    })
    expect(run.error.message).toMatch(
      /^Only 3\d of 70 rows \(\d\d(\.\d)? %\) can be used, and `min_usable_share` is 95 %\. 3\d rows: `day` holds no time of the format `MM\/DD\/YYYY`: '\d\d\/\d\d\/2026'\.$/,
    )
  })

  it('fails with three reasons, most frequent first, when there are more', async () => {
    const bad = [
      ...Array.from({ length: 5 }, (_, index) => [`2026-01-0${index + 1}`, 'north', 'many']),
      ...Array.from({ length: 4 }, (_, index) => ['5 January', 'north', index]),
      ...Array.from({ length: 3 }, (_, index) => ['', 'north', index]),
      ['2026-01-05', 'north', '1.386'],
    ]
    const rows = rowsOf('north', (value) => value % 1_000)
    const { error } = await runOver([...rows, ...bad])
    expect(error).toMatchObject({
      code: 'too_few_usable_rows',
      message:
        'Only 70 of 83 rows (84.3 %) can be used, and `min_usable_share` is 95 %. ' +
        "5 rows: `people` holds no number: 'many'. 4 rows: `day` holds no time: '5 January'. 3 rows: `day` is empty.",
    })
    const allowed = await runOver([...rows, ...bad], { min_usable_share: 0.8 })
    expect(allowed).toMatchObject({ status: 'finished', input: { min_usable_share: 0.8 } })
    expect(allowed.series[0].data_quality).toMatchObject({ rows_read: 83, rows_empty: 0, rows_used: 70 })
  })

  it('finishes when empty values are gaps', async () => {
    const run = await runOver(rowsOf('north', (value, day) => (day % 5 === 0 && day > 9 ? '' : value)))
    expect(run.status).toBe('finished')
    expect(run.series[0].data_quality).toMatchObject({ rows_read: 70, rows_empty: 12, rows_used: 58, usable_share: 1 })
  })

  it('shows an invisible character of a time that cannot be read', async () => {
    const run = await runOver([...rowsOf('north'), ['2026-01-06\u202f08:00\u200b', 'north', 1]])
    expect(run.series[0].warnings[0]).toBe(
      "1 row was ignored: `day` holds no time: '2026-01-06␣08:00␣' (U+202F, U+200B).",
    )
  })

  it('leaves out and names a stray date', async () => {
    const run = await runOver([...rowsOf('north'), ['2036-02-11', 'north', 5]])
    expect(run.series[0]).toMatchObject({
      data_quality: { length: 70, rows_read: 71, rows_used: 70 },
      points: { length: 7 },
    })
    expect(run.series[0].warnings[0]).toBe('1 row was left out: 2036-02-11 is 10 years after the others.')
  })
})

describe('a group', () => {
  const south = rowsOf('south', (value, day) => (day >= 60 ? `${value} ppl` : value))

  it('has an error, and the run finishes, when it alone loses too many rows', async () => {
    const others = ['east', 'north', 'west'].flatMap((name) => rowsOf(name))
    const run = await runOver([...others, ...south], { group_by: ['building'] })
    expect(run.status).toBe('finished')
    expect(run.series.map(({ error }: { error?: { code: string } }) => error?.code)).toEqual([
      ...[undefined, undefined, undefined],
      'too_few_usable_rows',
    ])
    expect(run.series[3]).toMatchObject({
      points: [],
      error: { message: expect.stringMatching(/^Only 60 of 70 rows \(85\.7 %\) can be used.*'\d+ ppl'\.$/) },
    })
    expect((await kindsOf(run.id)).filter(({ key }) => 'south' in Object.values(key))).toEqual([])
    const { body } = await harness.call('GET', `${runs}/${run.id}/accuracy`)
    expect(body.data.series[3]).toMatchObject({ steps: 0, warnings: [expect.stringMatching(/^10 rows were ignored/)] })
  })
})

describe('a recommendation', () => {
  it('is not made from a series when one of its values is lost', async () => {
    const whole = await runOver(rowsOf('north'))
    expect((await kindsOf(whole.id)).length).toBeGreaterThan(0)
    const busiest = rowsOf('north', (value, day) => (day === 44 ? '1386 ppl' : value))
    const run = await runOver(busiest)
    expect(run.status).toBe('finished')
    expect(await kindsOf(run.id)).toEqual([])
    expect(run.series[0].warnings).toEqual([
      "1 row was ignored: `people` holds no number: '1386 ppl'.",
      'No recommendation is made from this series: some of its rows could not be used.',
    ])
  })
})
