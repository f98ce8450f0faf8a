import { describe, expect, it } from '@jest/globals'
import type { ScenarioResult } from '../../src/scenarios/scenario-job.ts'
import { recommendClosures, type SiteScenario } from '../../src/site-scenarios/site-closure.ts'

const scenario: SiteScenario = {
  id: 'scn_1',
  site: { id: 'spc_1', name: 'Munich', timezone: 'Europe/Berlin' },
  historyUntil: '2026-03-26',
  horizon: 14,
  teamShare: 1,
}
const free = (name: string, weekdays: ScenarioResult['free'][number]['weekdays']) => ({
  space_id: name,
  name,
  weekdays,
})
/** Returns a floor that opens on the other weekdays. */
const floorOf = ({ space_id, name, weekdays }: ScenarioResult['free'][number]): ScenarioResult['floors'][number] => ({
  space_id,
  name,
  capacity: 50,
  open: result.weekdays.filter((weekday) => !weekdays.includes(weekday)),
  utilization_before: {},
  utilization_after: {},
  kept_open_by: null,
})
const result: ScenarioResult = {
  is_feasible: true,
  conclusion: 'Munich / Floor 3 can close.',
  conflict: [],
  gap: 0,
  floors: [],
  teams: [],
  weekdays: ['mon', 'tue', 'wed', 'thu', 'fri'],
  free: [free('Munich / Floor 3', ['mon', 'fri'])],
  moved_people: 12,
  saving: { amount: 4_800_000, currency: 'EUR', rent: 0, lines: [] },
  next_point: null,
  risk: { overflow_days: 0.04, by_weekday: {}, people_without_place: 0.1, people_on_other_floor: 0, people: null },
  before: null,
  demand_changed: null,
  allocation_changed: null,
  warnings: [],
}

describe('the recommendation to close floors', () => {
  it('says what the scenario says, in money', () => {
    expect(recommendClosures(scenario, result)).toEqual({
      kind: 'consolidation',
      key: { space: 'spc_1', name: 'Munich' },
      rationale: result.conclusion,
      title: 'Close Munich / Floor 3 on Mondays and Fridays',
      figures: { floors: 1, floor_days: 2, people_moved: 12, overflow_days: 0.04 },
      // The clock changes within the window.
      window: { from: '2026-03-26T23:00:00.000Z', until: '2026-04-09T22:00:00.000Z', weekdays: ['monday', 'friday'] },
      expectedEffect: { description: 'Saves EUR 48,000 a year.', quantity: 2, unit: 'days_per_week' },
      confidence: 0.96,
      severity: 2,
      saving: { amount: 4_800_000, currency: 'EUR' },
      scenarioId: 'scn_1',
    })
  })

  it.each<[string, ScenarioResult['free'], string]>([
    ['one floor', [free('Munich / Floor 3', result.weekdays)], 'Close Munich / Floor 3 all week'],
    ['whole floors', [free('a', result.weekdays), free('b', result.weekdays)], 'Close 2 floors of Munich all week'],
    [
      'days of floors',
      [free('a', result.weekdays), free('b', ['fri'])],
      'Close 1 floor of Munich all week, and 1 on some weekdays',
    ],
  ])('names %s', (_what, closed, title) => {
    const floors = closed.map((floor) => floorOf(floor))
    expect(recommendClosures(scenario, { ...result, floors, free: closed })?.title).toBe(title)
  })

  it('begins with a service level that is not kept, if closing makes it no worse', () => {
    expect(recommendClosures(scenario, { ...result, is_feasible: false })?.title).toBe(
      'Not everyone has a place in Munich; even so, close Munich / Floor 3 on Mondays and Fridays',
    )
  })

  it.each<[string, Partial<SiteScenario>, Partial<ScenarioResult>]>([
    ['no places are found', {}, { is_feasible: false, free: [], saving: null }],
    ['no floor can close', {}, { free: [] }],
    ['no costs are known', {}, { saving: null }],
    ['nothing is saved', {}, { saving: { amount: 0, currency: 'EUR', rent: 0, lines: [] } }],
    ['a part of the people is in no team', { teamShare: 0.89 }, {}],
    ['it is not known how many people are in no team', { teamShare: null }, {}],
  ])('is not made where %s', (_when, about, changed) => {
    expect(recommendClosures({ ...scenario, ...about }, { ...result, ...changed })).toBeNull()
  })
})
