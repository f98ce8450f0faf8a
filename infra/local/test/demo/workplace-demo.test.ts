import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { createClient } from '@wp/client'
import { eventually, startTestFleet, type TestFleet } from '@wp/testkit'
import { loadOffice } from '@wp/testkit/company'
import type { DemoOutput } from '../../src/demo/output.ts'
import { compareWithTruth } from '../../src/demo/workplace/compare-with-truth.ts'
import { formatBuildings, formatNoShows, formatPrivacy } from '../../src/demo/workplace/format-figures.ts'
import { type Figures, readFigures } from '../../src/demo/workplace/read-figures.ts'
import { chooseUnmapped, mapBySuggestion } from '../../src/demo/workplace/run-workplace-demo.ts'
import { type LoadContext, type LoadedSample, loadSample } from '../../src/workplace/load-sample.ts'
import { removeSample } from '../../src/workplace/remove-sample.ts'
import { type SampleCompany, writeSampleCompany } from '../../src/workplace/sample-company.ts'
import { sampleRunPrefix } from '../../src/workplace/sample-ids.ts'
import { findUnplannedSite, planSample, startSample } from '../../src/workplace/start-sample.ts'

const cleanup = new AsyncDisposableStack()
const printed: string[] = []
const output: DemoOutput = {
  printProgress: (line) => printed.push(line),
  printResult: (lines) => printed.push(...lines),
  width: 80,
  hasUnicode: false,
  hasColor: false,
}

let fleet: TestFleet
let context: LoadContext
let company: SampleCompany
let loaded: LoadedSample
let figures: Figures
beforeAll(async () => {
  fleet = await startTestFleet({ services: ['auth', 'data', 'solutions'] })
  const client = createClient({ baseUrl: fleet.baseUrl, credential: { apiKey: fleet.owner.apiKey } })
  context = { client, print: output.printProgress, signal: new AbortController().signal }
  company = await writeSampleCompany({ people: 120, floors: 6, days: 14, firstDay: '2025-04-14' }, cleanup)
  loaded = await loadSample(context, company, { unmapped: chooseUnmapped(company) })
  await mapBySuggestion(context, loaded, output)
  figures = await readFigures(context, loaded)
}, 600_000)
afterAll(async () => {
  await fleet?.stop()
  await cleanup.disposeAsync()
})

describe('the demo of the workplace', () => {
  it('maps a name that is not known to the suggested space', () => {
    expect(printed.find((line) => line.endsWith('bookings are not counted'))).toMatch(
      /^".* \| Room .*" in the bookings/,
    )
    const [, counted, all] = printed.join('\n').match(/suggestion: ([\d,]+) of ([\d,]+) bookings are counted/) ?? []
    expect(counted).toMatch(/^[1-9]/)
    expect(counted).toBe(all)
  })

  it('finds figures that are equal to the truth, and says which differs if one does', () => {
    expect(compareWithTruth(company.truth, figures).join(' ')).toMatch(/[1-9]\d* daily figures .* are equal to it\.$/)
    const [building, ...others] = figures.buildings
    if (building === undefined) throw new Error('no building has figures')
    const days = building.days.map((day) => ({ ...day, attendance: day.attendance && day.attendance + 1 }))
    const wrong = { ...figures, buildings: [{ ...building, days }, ...others] }
    expect(() => compareWithTruth(company.truth, wrong)).toThrow(/^the attendance of .* is \d+, but the truth is \d+$/)
  })

  it('prints a line for each building, and the share of no-shows', () => {
    const lines = formatBuildings(figures)
    for (const name of ['Berlin A', 'Munich A', 'Manchester A'])
      expect(lines.filter((line) => line.startsWith(name))).toHaveLength(1)
    expect(formatNoShows(figures)[0]).toMatch(/^2\d % of [\d,]+ bookings/)
    expect(formatPrivacy(figures).join(' ')).toContain('fewer than 5 people')
  })
})

describe('the sample', () => {
  it('creates nothing when it is loaded again', async () => {
    const again = await loadSample(context, company)
    expect(again.datasets).toEqual(loaded.datasets)
    expect(again.teamIds).toEqual(loaded.teamIds)
    expect((await context.client.data.listSources({})).items).toHaveLength(4)
  })

  it('stays as it is at a second start', async () => {
    const lines: string[] = []
    const { baseUrl: base_url, owner } = fleet
    const { workspaceId: workspace_id, clientId: client_id, clientSecret: client_secret, apiKey: api_key } = owner
    const credentials = { base_url, workspace_id, client_id, client_secret, api_key, owner_email: '' }
    await startSample({ credentials }, { print: (line) => lines.push(line), signal: context.signal })
    expect(lines).toEqual([expect.stringMatching(/^sample: the made company is already in the workspace/)])
  })

  it('is removed as a whole, and nothing else is', async () => {
    const { client } = context
    const own = await client.solutions.createSpace({ body: { name: 'Own site', kind: 'site' } })
    const external_id = `${sampleRunPrefix}team`
    const run = { workplace: { level: 'team' }, frequency: 'day', timezone: 'UTC', horizon: 7, external_id } as const
    await client.solutions.startForecastRun({ body: run })
    expect(await removeSample(client, company.truth)).toBeGreaterThan(50)
    expect((await client.solutions.listSpaces({})).items.map(({ id }) => id)).toEqual([own.id])
    for (const { items } of [
      await client.solutions.listTeams({}),
      await client.solutions.listDatasets({}),
      await client.data.listSources({}),
      await client.solutions.listForecastRuns({}),
      await client.solutions.listScenarios({}),
      await client.solutions.listPlanSchedules({}),
    ])
      expect(items).toEqual([])
    expect(await removeSample(client, company.truth)).toBe(0)
  })

  it('is refused where it would change a space of the user', async () => {
    await context.client.solutions.createSpace({ body: { name: 'Berlin', kind: 'site', external_id: 'BER' } })
    await expect(loadSample(context, company)).rejects.toThrow('a space with the external id BER')
  })
})

it('has forecasts, scenarios and a daily plan when it is planned, also after an interruption', async () => {
  const { apiKey } = fleet.stranger
  const client = createClient({ baseUrl: fleet.baseUrl, credential: { apiKey } })
  const send = async (path: string, init?: RequestInit) => {
    const headers = { 'x-api-key': apiKey, 'content-type': 'application/json' }
    const response = await fetch(`${fleet.baseUrl}${path}`, { ...init, headers })
    return ((await response.json()) as { data: unknown }).data // the envelope of every response
  }
  const office = await loadOffice({
    create: (path, body) => send(path, { method: 'POST', body: JSON.stringify(body) }),
    read: (path) => send(path),
  })
  await planSample({ ...context, client }, office.siteId, 7)
  const { items: runs } = await client.solutions.listForecastRuns({})
  expect(runs.map(({ status, input }) => [status, input.workplace])).toEqual([
    ['finished', expect.objectContaining({ level: 'team' })],
    ['finished', expect.objectContaining({ level: 'floor' })],
  ])
  await eventually(async () => (await client.solutions.listScenarios({})).items.length > 0)
  expect((await client.solutions.listPlans({})).items).toHaveLength(1)
  expect(await findUnplannedSite(client)).toBeUndefined()
  for (const { id } of (await client.solutions.listPlanSchedules({})).items)
    await client.solutions.deletePlanSchedule({ params: { id } })
  expect(await findUnplannedSite(client)).toBe(office.siteId)
  await planSample({ ...context, client }, office.siteId, 7)
  expect((await client.solutions.listForecastRuns({})).items).toHaveLength(2)
  expect((await client.solutions.listPlanSchedules({})).items).toHaveLength(1)
})
