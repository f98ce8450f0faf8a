import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from '@jest/globals'
import { writeCompany } from '@wp/testkit/company'
import { type LoadedCompany, loadCompany } from '../fixture/company.ts'
import type { Harness } from '../fixture/harness.ts'

/** A loaded company with forecasts of it, which the suites of this folder share. */
export interface ForecastCompany {
  harness: Harness
  company: LoadedCompany
  /** A forecast of all teams, from which the platform and the tests start scenarios. */
  // biome-ignore lint/suspicious/noExplicitAny: as the response it is
  teamRun: any
  /** A forecast of all floors. */
  // biome-ignore lint/suspicious/noExplicitAny: as the response it is
  floorRun: any
  /** The floors of Berlin. */
  floorIds: string[]
  berlin: string
}

export interface Series {
  key: { space?: string; team?: string; name: string }
  points: (Record<string, number> & { mean: number })[]
  covariates: { name: string; wape_with: number | null; used: boolean }[]
  holidays: { dates: { date: string; name: string }[] }
}

export const workplace = '/v1/solutions/workplace'
export const horizon = 21
/** The last day with badge events, a Wednesday; bookings go on. */
export const lastDay = '2025-05-21'

/** Loads the company, and forecasts its teams and floors. */
export async function loadForecastCompany(harness: Harness): Promise<ForecastCompany> {
  const folder = await mkdtemp(join(tmpdir(), 'wp-forecast-'))
  await writeCompany(folder, { people: 200, floors: 6, days: 112, firstDay: '2025-02-17' })
  await endBadgesAfter(join(folder, 'badge-events.csv'), lastDay)
  const company = await loadCompany(harness, folder)
  await rm(folder, { recursive: true })
  const floorIds = [...company.spaceIds].flatMap(([externalId, id]) => (/^BER-[A-Z]-\d+$/.test(externalId) ? id : []))
  const cost = { annual_cost: { amount: 48_000_000, currency: 'EUR' }, avoidable_share: 0.35 }
  for (const id of floorIds)
    expect((await harness.call('PATCH', `${workplace}/spaces/${id}`, { body: cost })).status).toBe(200)
  const teamRun = await forecast(harness, { level: 'team' })
  const setRead = (time: string) => harness.rows(`UPDATE datasets SET refreshed_at = ${time} WHERE kind = 'bookings'`)
  await setRead('NULL')
  const floorRun = await forecast(harness, { level: 'floor' }, { external_id: 'budget' })
  await setRead('now()')
  return { harness, company, teamRun, floorRun, floorIds, berlin: company.spaceIds.get('BER') ?? '' }
}

/** Removes the badge events after a day, whose dates are German. */
async function endBadgesAfter(file: string, last: string): Promise<void> {
  const isKept = (line: string) => {
    const [, day, month, year] = /;(\d\d)\.(\d\d)\.(\d{4}) [\d:]+$/.exec(line.trim()) ?? []
    return year === undefined || `${year}-${month}-${day}` <= last
  }
  await writeFile(file, (await readFile(file, 'utf8')).split('\n').filter(isKept).join('\n'))
}

export const bodyOf = (asked: object, more: object = {}) => ({
  workplace: asked,
  frequency: 'day',
  timezone: 'Europe/Berlin',
  horizon,
  ...more,
})

export async function forecast(harness: Harness, asked: object, more: object = {}) {
  const run = await harness.waitForEnd(await harness.run(bodyOf(asked, more)))
  expect(run).toMatchObject({ status: 'finished', error: null })
  return run
}
