import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { eventually } from '@wp/testkit'
import { recordedOf, recordedTeamOf, writeCompany } from '@wp/testkit/company'
import { type LoadedCompany, loadCompany, waitUntilCounted } from '../fixture/company.ts'
import { type Harness, startHarness } from '../fixture/harness.ts'

const workplace = '/v1/solutions/workplace'

let harness: Harness
let company: LoadedCompany
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'wp-company-'))
  harness = await startHarness()
  await writeCompany(folder, { people: 240, days: 42, firstDay: '2025-04-14' })
  company = await loadCompany(harness, folder)
}, 300_000)
afterAll(async () => {
  await harness?.stop()
  await rm(folder, { recursive: true, force: true })
})

const read = async (query: string) => {
  const answer = await harness.call('GET', `${workplace}/utilization?${query}`)
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body))
  return answer.body
}

describe('a made company', () => {
  const period = () => `since=${company.truth.days[0]}&until=2025-05-26`

  it('has the attendance, peaks and averages of the truth in every space that is shown', async () => {
    const { truth, spaceIds } = company
    let [shown, whole] = [0, 0]
    for (const { id } of truth.spaces) {
      const { data } = await read(`space_id=${spaceIds.get(id)}&interval=day&${period()}`)
      for (const { start, attendance, peak, average, suppressed } of data) {
        if (attendance === null) continue
        const expected = recordedOf(truth, id, start)
        shown++
        expect({ id, start, attendance }).toEqual({ id, start, attendance: expected.attendance })
        // Withheld hours are left out of averages and peaks.
        if (suppressed || expected.peak === null) continue
        whole++
        expect({ id, start, peak, average: Math.abs(average - (expected.average ?? 0)) < 0.001 }).toEqual({
          ...{ id, start, peak: expected.peak },
          average: true,
        })
      }
    }
    expect(shown).toBeGreaterThan(200)
    expect(whole).toBeGreaterThan(50)
  })

  it('has the attendance and headcount of the truth in every team that is shown', async () => {
    const { truth, teamIds } = company
    let shown = 0
    for (const { id } of truth.teams) {
      const { data } = await read(`team_id=${teamIds.get(id)}&interval=day&${period()}`)
      for (const row of data) {
        const day = truth.days.indexOf(row.start)
        const expected = recordedTeamOf(truth, id, row.start)
        expect({ id, day, headcount: row.headcount }).toEqual({ id, day, headcount: expected.headcount })
        if (row.attendance === null) continue
        shown++
        expect({ id, day, attendance: row.attendance }).toEqual({
          ...{ id, day },
          attendance: expected.attendance,
        })
      }
    }
    expect(shown).toBeGreaterThan(50)
  })

  it('shows nothing about fewer people than the threshold', async () => {
    const figures = await harness.rows<{ attendance: number }>(
      `SELECT attendance FROM space_days WHERE NOT is_suppressed AND attendance BETWEEN 1 AND 4
       UNION ALL SELECT attendance FROM team_days WHERE NOT is_suppressed AND attendance BETWEEN 1 AND 4
       UNION ALL SELECT attendance FROM week_attendance WHERE NOT is_suppressed AND attendance BETWEEN 1 AND 4`,
    )
    expect(figures).toEqual([])
  })

  it('counts the no-shows of the truth', async () => {
    const { data } = await harness.call('GET', `${workplace}/no-shows?${period()}`).then(({ body }) => body)
    const [booked, missed] = [sumOf(data, 'booked'), sumOf(data, 'no_shows')]
    expect(missed / booked).toBeCloseTo(company.truth.noShows.share, 4)
  })

  it('reports every row as used, and no value as unknown', async () => {
    for (const id of Object.values(company.datasets)) {
      const { data } = (await harness.call('GET', `${workplace}/datasets/${id}`)).body
      expect({ kind: data.kind, unused: data.rows.unused }).toEqual({ kind: data.kind, unused: [] })
      expect(data.rows.used).toBe(data.rows.read)
    }
  })
})

describe('refreshes', () => {
  /** All figures that were counted, without what only the order of work shows. */
  const figures = async () => {
    const tables = ['space_days', 'team_days', 'week_attendance', 'booking_days', 'reader_gaps']
    return Promise.all(tables.map((table) => harness.rows(`SELECT * FROM ${table} ORDER BY 1, 2, 3, 4`)))
  }

  it('count the same from changes as from all rows', async () => {
    const { sources, datasets } = company
    const path = `/v1/data/sources/${sources.badgeEvents}/records`
    // Rows that come late, and rows that go.
    const late = [
      ['E000003', 'Person 0003', 'BER/A/OG1 Eingang', 'Eintritt', '06.05.2025 09:15:00'],
      ['E000004', 'Person 0004', 'BER/A/OG1 Eingang', 'Eintritt', '02.06.2025 08:45:00'],
    ]
    const lines = late.map((cells) => cells.join(';')).join('\n')
    const headers = { 'content-type': 'text/csv' }
    const sent = await harness.call('POST', path, { rawBody: `Ausweis-Nr;Name;Leser;Ereignis;Zeit\n${lines}`, headers })
    expect(sent.status).toBe(200)
    const filter = { keys: undefined, filter: { Leser: 'BER/A/OG2 Eingang' } }
    const gone = await harness.call('POST', `${path}/delete`, { body: filter })
    expect(gone.status).toBe(200)
    expect(gone.body.data.counts.deleted).toBeGreaterThan(0)
    await eventually(async () => (await harness.rows(`SELECT FROM space_days WHERE day = '2025-06-02'`)).length > 0, {
      description: 'the count of the late rows',
      timeoutMs: 60_000,
    })
    await waitUntilCounted(harness)
    const changed = await figures()
    for (const id of [datasets.badgeEvents, datasets.people]) {
      const again = await harness.call('POST', `${workplace}/datasets/${id}/refresh`, { body: { full: true } })
      expect(again.status).toBe(202)
    }
    await waitUntilCounted(harness)
    const normal = (rows: object[]) => rows.map((row) => ({ ...row, value_id: undefined }))
    expect((await figures()).map(normal)).toEqual(changed.map(normal))
  })

  it('name a reader that is silent, and lower the coverage', async () => {
    const { data } = (await harness.call('GET', `${workplace}/datasets/${company.datasets.badgeEvents}`)).body
    // All its rows were deleted, so that it is no reader any more.
    expect(data.gaps.map(({ value }: { value: string }) => value)).not.toContain('BER/A/OG2 Eingang')
  })
})

const sumOf = (rows: Record<string, number>[], field: string): number =>
  rows.reduce((sum, row) => sum + (row[field] ?? 0), 0)
