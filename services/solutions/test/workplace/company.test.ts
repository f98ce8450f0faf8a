import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { connectDatabase, type Database, type Query } from '@wp/database'
import { recordedOf, recordedTeamOf, writeCompany } from '@wp/testkit/company'
import { loadSolver } from '../../src/privacy/index.ts'
import { auditWeeks } from '../../src/privacy-audit/audit-weeks.ts'
import { auditDay } from '../../src/privacy-audit/published-levels.ts'
import { readPublishedWeek } from '../../src/privacy-audit/published-week.ts'
import { dateOf, dayOf, mondayOf } from '../../src/workplace/local-days.ts'
import { type LoadedCompany, loadCompany, waitUntilCounted } from '../fixture/company.ts'
import { type Harness, startHarness } from '../fixture/harness.ts'
import { attack, auditLearnt } from './attacker.ts'

const workplace = '/v1/solutions/workplace'
/** Two whole weeks in two months. */
const [firstDay, afterLastDay] = ['2025-04-21', '2025-05-05']

let harness: Harness
let company: LoadedCompany
let folder: string
let database: Database<object>
const query: Query = (text, values) =>
  database.read({ workspaceId: harness.fleet.owner.workspaceId }, (_db, sql) => sql(text, values))

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'wp-company-'))
  harness = await startHarness()
  const url = harness.fleet.databases.get('solutions')?.workerUrl ?? ''
  database = connectDatabase({ url, workerUrl: url, prisma: () => ({}), shard: '' })
  await writeCompany(folder, { people: 240, floors: 6, days: 14, firstDay })
  company = await loadCompany(harness, folder)
}, 600_000)
afterAll(async () => {
  await database?.close()
  await harness?.stop()
  await rm(folder, { recursive: true, force: true })
})

const read = async (query: string) => {
  const answer = await harness.call('GET', `${workplace}/utilization?${query}`)
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body))
  return answer.body
}

describe('a made company', () => {
  const period = () => `since=${firstDay}&until=${afterLastDay}`

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
          id,
          start,
          peak: expected.peak,
          average: true,
        })
      }
    }
    expect(shown).toBeGreaterThan(120)
    expect(whole).toBeGreaterThan(15)
  })

  it('has the attendance and headcount of the truth in every team that is shown', async () => {
    const { truth, teamIds } = company
    let shown = 0
    for (const { id } of truth.teams) {
      const { data } = await read(`team_id=${teamIds.get(id)}&interval=day&${period()}`)
      for (const row of data) {
        const day = truth.days.indexOf(row.start)
        const expected = recordedTeamOf(truth, id, row.start)
        // A team without people has no headcount.
        expect({ id, day, headcount: row.headcount ?? 0 }).toEqual({ id, day, headcount: expected.headcount })
        if (row.attendance === null) continue
        shown++
        expect({ id, day, attendance: row.attendance }).toEqual({ id, day, attendance: expected.attendance })
      }
    }
    expect(shown).toBeGreaterThan(50)
  })

  it('tells the space in which each team usually is, or one around it', async () => {
    const { data: spaces } = (await harness.call('GET', `${workplace}/spaces?limit=100`)).body
    const { data: teams } = (await harness.call('GET', `${workplace}/teams?limit=100`)).body
    const pathOf = (id: string) => {
      const { path } = spaces.find((space: { id: string }) => space.id === id)
      return [...path.map((around: { id: string }) => around.id), id]
    }
    const usual = teams.filter(
      (team: Record<string, string | null>) => team.home_space_id !== null && team.usual_space_id !== null,
    )
    expect(usual.length).toBeGreaterThan(4)
    for (const { name, home_space_id: home, usual_space_id: found } of usual)
      expect({ name, isAround: pathOf(home).includes(found) }).toEqual({ name, isAround: true })
    expect(
      usual.filter((team: Record<string, string>) => team.home_space_id === team.usual_space_id).length,
    ).toBeGreaterThan(1)
  })

  it('shows nothing about fewer people than the threshold', async () => {
    const figures = await harness.rows<{ attendance: number }>(
      `SELECT attendance FROM space_days WHERE NOT is_suppressed AND attendance BETWEEN 1 AND 4
       UNION ALL SELECT attendance FROM team_days WHERE NOT is_suppressed AND attendance BETWEEN 1 AND 4
       UNION ALL SELECT attendance FROM week_attendance WHERE NOT is_suppressed AND attendance BETWEEN 1 AND 4`,
    )
    expect(figures).toEqual([])
  })

  it('tells an attacker with 100 queries nothing about fewer than 5 people', async () => {
    const learnt = await attack(harness, company, { queries: 100, since: firstDay, until: afterLastDay })
    expect(learnt.cells.size).toBeGreaterThan(2_000)
    expect([...learnt.levels.values()].filter((level) => level !== null && level > 0).length).toBeGreaterThan(100)
    expect(learnt.leaks).toEqual([])
    expect(await auditLearnt(query, harness.fleet.owner.workspaceId, learnt)).toEqual([])
  })

  it('is found by the audit of an operator where a figure is shown that tells a withheld one', async () => {
    const audit = async (range: { since?: string; until?: string } = {}) => {
      const weeks = []
      const scope = { workspaceId: harness.fleet.owner.workspaceId, withHours: false, ...range }
      for await (const week of auditWeeks(query, await loadSolver(), scope)) weeks.push(week)
      return weeks
    }
    const weeks = await audit()
    expect(weeks.map(({ week }) => week)).toEqual(company.truth.days.filter((day) => dayOf(day) % 7 === 4))
    expect(weeks.flatMap(({ findings }) => findings)).toEqual([])
    expect(weeks.every(({ counts, withheld }) => withheld > 0 && withheld < counts)).toBe(true)
    // All teams beside one that is withheld are shown, so that it is the difference.
    const [small] = await harness.rows<{ day: string; parent: string }>(
      `SELECT day::text, parent_id AS parent FROM team_days JOIN teams USING (workspace_id)
       WHERE teams.id = team_id AND is_suppressed AND attendance BETWEEN 1 AND 4 AND parent_id IS NOT NULL
       GROUP BY day, parent_id HAVING count(*) = 1 ORDER BY day, parent_id LIMIT 1`,
    )
    const changed = await harness.rows<{ team_id: string }>(
      `UPDATE team_days SET is_suppressed = false WHERE day = $1 AND is_suppressed AND attendance >= 5
         AND team_id IN (SELECT id FROM teams WHERE parent_id = $2 UNION SELECT $2) RETURNING team_id`,
      [small?.day, small?.parent],
    )
    const since = small?.day ?? ''
    const week = await audit({ since, until: dateOf(dayOf(since) + 1) })
    const findings = week.flatMap(({ findings }) => findings)
    await harness.rows('UPDATE team_days SET is_suppressed = true WHERE day = $1 AND team_id = ANY ($2)', [
      ...[small?.day, changed.map(({ team_id }) => team_id)],
    ])
    expect(findings.some((finding) => finding.includes(since))).toBe(true)
  })

  it('is found by the audit of hours where all levels are shown whose people are', async () => {
    const levels = await harness.rows<{ day: string }>(
      `SELECT space_id, day::text, suppressed_levels FROM space_days
       WHERE suppressed_levels <> suppressed_hours AND NOT is_suppressed ORDER BY day`,
    )
    const { day = '' } = levels[0] ?? {}
    const set = (value: string) =>
      harness.rows(
        `UPDATE space_days SET suppressed_levels = ${value}
         FROM jsonb_to_recordset($1::jsonb) AS known (space_id text, day date, suppressed_levels int)
         WHERE space_days.space_id = known.space_id AND space_days.day = known.day`,
        [JSON.stringify(levels)],
      )
    const scope = { workspaceId: harness.fleet.owner.workspaceId, withHours: true, threshold: 5 }
    const findings = async () => {
      const published = await readPublishedWeek(query, scope, mondayOf(day))
      const highs = await loadSolver()
      return published.levels.flatMap((own) => (own.day === day ? auditDay(highs, own, 5) : []))
    }
    await set('suppressed_hours')
    const found = await findings()
    await set('known.suppressed_levels')
    expect(found.some((finding) => finding.includes(day) && finding.endsWith('people on average'))).toBe(true)
    expect(await findings()).toEqual([])
  })

  it('counts the no-shows of the truth, and tells those of months that are not withheld', async () => {
    const [all] = await harness.rows<{ booked: number; missed: number }>(
      `SELECT sum(booked)::int AS booked, sum(no_shows)::int AS missed FROM booking_days JOIN spaces USING (workspace_id)
       WHERE spaces.id = space_id AND parent_id IS NULL`,
    )
    const { booked, noShows } = company.truth.noShows
    expect(all).toEqual({ booked, missed: noShows })
    const { data } = (await harness.call('GET', `${workplace}/no-shows?${period()}`)).body
    const shown = await harness.rows(
      `SELECT space_id, sum(booked)::int AS booked, sum(no_shows)::int AS no_shows FROM booking_months
       JOIN spaces USING (workspace_id) WHERE spaces.id = space_id AND parent_id IS NULL AND NOT is_suppressed
       GROUP BY space_id ORDER BY space_id`,
    )
    const told = Map.groupBy(data as Record<string, number>[], ({ space_id: id }) => id)
    expect(shown.length).toBeGreaterThan(0)
    expect(
      [...told]
        .map(([id, rows]) => ({ space_id: id, booked: sumOf(rows, 'booked'), no_shows: sumOf(rows, 'no_shows') }))
        .sort((a, b) => String(a.space_id).localeCompare(String(b.space_id))),
    ).toEqual(shown)
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
    const tables = ['space_days', 'team_days', 'week_attendance', 'booking_days', 'booking_months', 'reader_gaps']
    return Promise.all(tables.map((table) => harness.rows(`SELECT * FROM ${table} ORDER BY 1, 2, 3, 4`)))
  }

  it('count the same from changes as from all rows', async () => {
    const { sources, datasets } = company
    const path = `/v1/data/sources/${sources.badgeEvents}/records`
    const readRows = async (): Promise<number> => {
      const [row] = await harness.rows<{ rows: number }>('SELECT rows_read::int AS rows FROM datasets WHERE id = $1', [
        datasets.badgeEvents,
      ])
      return row?.rows ?? 0
    }
    const before = await readRows()
    // Rows that come late, and rows that go.
    const late = [
      ['E000003', 'Person 0003', 'BER/A/OG1 Eingang', 'Eintritt', '30.04.2025 09:15:00'],
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
    const isRead = async () => (await readRows()) === before + late.length - gone.body.data.counts.deleted
    await waitUntilCounted(harness, isRead)
    const changed = await figures()
    const refresh = `${workplace}/datasets/${datasets.badgeEvents}/refresh`
    expect((await harness.call('POST', refresh, { body: { full: true } })).status).toBe(202)
    await waitUntilCounted(harness)
    const normal = (rows: object[]) => rows.map((row) => ({ ...row, value_id: undefined }))
    expect((await figures()).map(normal)).toEqual(changed.map(normal))
  })

  it('are named by what is computed from the rows read so far until they have read all, and if they failed', async () => {
    const [{ id = '' } = {}] = await harness.rows<{ id: string }>(
      'SELECT id FROM spaces WHERE parent_id IS NULL LIMIT 1',
    )
    const setRefreshed = (time: string) =>
      harness.rows(`UPDATE datasets SET refreshed_at = ${time} WHERE id = $1`, [company.datasets.badgeEvents])
    const warnings = async (path: string): Promise<string> =>
      (await harness.call('GET', `${workplace}/${path}?space_id=${id}`)).body.meta.warnings.join(' ')
    await setRefreshed('NULL')
    for (const path of ['utilization', 'no-shows'])
      expect(await warnings(path)).toMatch(/^Reading the dataset ".*" failed/)
    const body = { name: 'Now', space_id: id, enabled: false }
    const schedule = (await harness.call('POST', `${workplace}/plan-schedules`, { body })).body.data
    const plan = (await harness.call('POST', `${workplace}/plan-schedules/${schedule.id}/run`)).body.data
    expect(plan.warnings.join(' ')).toMatch(/Reading the dataset ".*" failed/)
    await setRefreshed('now()')
    expect(await warnings('utilization')).not.toContain('rows read so far')
  })

  it('name a reader that is silent, and lower the coverage', async () => {
    const { data } = (await harness.call('GET', `${workplace}/datasets/${company.datasets.badgeEvents}`)).body
    // All its rows were deleted, so that it is no reader any more.
    expect(data.gaps.map(({ value }: { value: string }) => value)).not.toContain('BER/A/OG2 Eingang')
  })

  it('count a reader that two files have once', async () => {
    const dataset = company.datasets.badgeEvents
    await harness.rows(
      `INSERT INTO reader_gaps (workspace_id, dataset_id, value_id, since, until, expected_rows)
       SELECT workspace_id, dataset_id, value_id, day, day + 1, 1690 FROM dataset_values,
         (SELECT max(day) AS day FROM reader_days WHERE dataset_id = $1) last
       WHERE dataset_id = $1 AND role = 'space' AND rows > 0 ORDER BY value LIMIT 3 ON CONFLICT DO NOTHING`,
      [dataset],
    )
    const [root] = await harness.rows<{ id: string }>('SELECT id FROM spaces WHERE parent_id IS NULL LIMIT 1')
    const read = async () => {
      const { body } = await harness.call('GET', `${workplace}/utilization?space_id=${root?.id}&interval=day`)
      const coverage = body.data.map((row: { coverage: number }) => row.coverage)
      return { coverage, silent: body.meta.warnings.filter((text: string) => text.includes(' readers had no data')) }
    }
    const before = await read()
    expect(before.silent.join()).toMatch(/ of \d+ readers had no data .* where about \d,\d{3} rows are usual/)
    const tables = { datasets: 'id', dataset_values: 'dataset_id', reader_gaps: 'dataset_id' }
    for (const [table, column] of Object.entries(tables))
      await harness.rows(
        `INSERT INTO ${table} SELECT (jsonb_populate_record(own, '{"${column}": "ds_copy"}')).* FROM ${table} own
         WHERE ${column} = $1`,
        [dataset],
      )
    expect(await read()).toEqual(before)
  })
})

const sumOf = (rows: Record<string, number>[], field: string): number =>
  rows.reduce((sum, row) => sum + (row[field] ?? 0), 0)
