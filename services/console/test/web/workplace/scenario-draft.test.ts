import { describe, expect, test } from '@jest/globals'
import { measuresOf } from '../../../web/src/solutions/forecasts/run-input.ts'
import { formatAmount } from '../../../web/src/ui/format/format.ts'
import { isComplete, problemOf } from '../../../web/src/workplace/scenarios/form/draft-problems.ts'
import {
  changesOf,
  draftOf,
  emptyDraft,
  horizonFor,
  openDays,
  type PeopleChange,
  presetDraft,
} from '../../../web/src/workplace/scenarios/form/scenario-draft.ts'
import { commonPrefix, formatKept, suggestName } from '../../../web/src/workplace/scenarios/scenario-words.ts'
import {
  createWorkplace,
  plannedSpace,
  type ScenarioDetail,
  type Space,
  type Team,
} from '../../../web/src/workplace/scenarios/workplace.ts'

const hours = { mon: { from: '07:00', to: '20:00' }, fri: { from: '07:00', to: '16:00' } }
const space = (id: string, name: string, kind: Space['kind'], parent_id: string | null): Space =>
  ({ id, name, kind, parent_id, effective: { opening_hours: hours, currency: 'JPY' } }) as Space // all that is read
const workplace = createWorkplace(
  [
    space('f10', 'Floor 10', 'floor', 'a'),
    space('f2', 'Floor 2', 'floor', 'a'),
    space('a', 'House A', 'building', 'site'),
    space('site', 'Berlin', 'site', null),
    space('empty', 'Munich', 'site', null),
  ],
  [{ id: 't1', name: 'Sales', parent_id: null, home_space_id: null } as Team], // all that is read
)
const row = (change: Partial<PeopleChange>): PeopleChange => ({
  key: 'k',
  team: '',
  kind: 'percent',
  value: '',
  days: [],
  ...change,
})

describe('the buildings that a scenario can plan', () => {
  test('have floors, in the order of their numbers, named without what is the same of all', () => {
    expect(workplace.buildings.map(({ id }) => id)).toEqual(['site', 'a'])
    expect(workplace.floorsOf('site').map(({ id }) => workplace.floorName(id, 'site'))).toEqual(['Floor 2', 'Floor 10'])
    expect(workplace.nameOf('f2')).toBe('Berlin / House A / Floor 2')
  })

  test('are found from a link to a floor, and not from one to a space without floors', () => {
    expect(['f2', 'a', 'site', 'empty', 'x'].map((id) => plannedSpace(workplace, id))).toEqual([
      ...['a', 'a', 'site', undefined, undefined],
    ])
    expect(openDays(workplace, 'site')).toEqual(['mon', 'fri'])
  })
})

describe('the teams without a home', () => {
  const team = (id: string, parent_id: string | null, home_space_id: string | null = null): Team =>
    ({ id, name: id, parent_id, home_space_id, usual_space_id: null }) as Team // all that is read

  test('are the largest of which none is at home', () => {
    const { unseatedTeams, hasTeamsIn } = createWorkplace(workplace.spaces, [
      ...[team('sales', null), team('inside', 'sales'), team('outside', 'sales', 'f2')],
      ...[team('it', null), team('desk', 'it'), team('law', null, 'a'), team('tax', 'law')],
    ])
    expect(unseatedTeams('a').map(({ id }) => id)).toEqual(['inside', 'it'])
    expect(['a', 'site', 'empty'].map(hasTeamsIn)).toEqual([true, true, false])
  })

  test('are parts of one that is not usually in the building, if they are', () => {
    const usual = (one: Team, usual_space_id: string): Team => ({ ...one, usual_space_id })
    const teams = [usual(team('sales', null), 'site'), usual(team('inside', 'sales'), 'f2'), team('outside', 'sales')]
    const { unseatedTeams, isUsuallyIn } = createWorkplace(workplace.spaces, teams)
    const seats = (space: string) => unseatedTeams(space).map((one) => [one.id, isUsuallyIn(one, space)])
    expect(seats('a')).toEqual([
      ['inside', true],
      ['outside', false],
    ])
    expect(seats('site')).toEqual([['sales', true]])
    expect(seats('empty')).toEqual([])
  })
})

describe('the draft of a scenario', () => {
  test('becomes changes, one rule of each team', () => {
    const people = [
      row({ value: '10' }),
      row({ team: 't1', kind: 'number', value: '30' }),
      row({ kind: 'min_days', value: '2.5' }),
      row({ kind: 'fixed_days', days: ['mon'] }),
    ]
    const floors = [
      { key: 'a', floor: 'f2', kind: 'annual_cost' as const, value: '5000' },
      { key: 'b', floor: 'f2', kind: 'avoidable_share' as const, value: '40' },
    ]
    const draft = { ...emptyDraft('site'), closed: { f2: ['fri' as const], f10: [] }, people, floors }
    const changes = changesOf(draft, workplace)
    expect(changes).toEqual({
      close_spaces: [{ space_id: 'f2', weekdays: ['fri'] }],
      headcount: [{ percent: 10 }, { team_id: 't1', number: 30 }],
      attendance: [{ min_days: 2.5, fixed_days: ['mon'] }],
      capacity: [],
      // Yen have no minor unit.
      cost: [{ space_id: 'f2', annual_cost: 5000, avoidable_share: 0.4 }],
    })
    const asked = { space_id: 'site', forecast_run_id: 'fr_1', objective: 'lowest_cost', service_level: 0.95, changes }
    const again = draftOf(asked as ScenarioDetail, workplace) // all that is read
    expect(changesOf(again, workplace)).toEqual(changes)
    expect([again.promise, again.forecastId]).toEqual(['95', 'fr_1'])
  })

  test('has the floors of a building that is closed', () => {
    const changes = { close_spaces: [{ space_id: 'a', weekdays: ['fri'] }] }
    const draft = draftOf({ space_id: 'site', service_level: 0.9, changes } as ScenarioDetail, workplace) // all that is read
    expect(draft.closed).toEqual({ f2: ['fri'], f10: ['fri'] })
  })

  test('is complete when every number can be used', () => {
    expect(isComplete(presetDraft('growth', 'site'))).toBe(true)
    for (const people of [
      row({}),
      row({ value: '-101' }),
      row({ kind: 'number', value: '5' }),
      row({ kind: 'fixed_days' }),
    ])
      expect(isComplete({ ...emptyDraft('site'), people: [people] })).toBe(false)
    expect(isComplete({ ...emptyDraft('site'), promise: '40' })).toBe(false)
    expect(problemOf('capacity', '1.5')).toBe('Enter a whole number')
  })
})

describe('the words of a scenario', () => {
  test('name what is asked', () => {
    const nameOf = (draft: Parameters<typeof changesOf>[0]) =>
      suggestName({ space_id: 'site', changes: changesOf(draft, workplace) }, workplace, openDays(workplace, 'site'))
    expect(nameOf(presetDraft('find', 'site'))).toBe('Berlin: floors that can close')
    expect(presetDraft('friday', 'site').closed).toEqual({})
    expect(nameOf(presetDraft('growth', 'site'))).toBe('Berlin: 10\u00a0% more people')
    expect(nameOf({ ...emptyDraft('site'), closed: { f2: ['mon', 'fri'] } })).toBe('Berlin: Floor 2 closed all week')
  })

  test('are rounded by magnitude, and what is kept is rounded down', () => {
    expect([formatAmount(4_560_012, 'EUR'), formatAmount(1250, 'EUR')]).toEqual(['EUR\u00a045,600', 'EUR\u00a012.5'])
    expect(formatKept(0.9999)).toBe('99.9\u00a0%')
  })

  test('leave out what all names begin with', () => {
    expect(commonPrefix(['Berlin / A / 1', 'Berlin / A / 2'])).toBe('Berlin / A / ')
    expect(commonPrefix(['Berlin / A / 1', 'Berlin / B / 1'])).toBe('Berlin / ')
    expect([commonPrefix(['Berlin / 1', 'Munich / 1']), commonPrefix([])]).toEqual(['', ''])
  })
})

test.each([
  ['of people who are told apart', { attendance: 20 }, 0, ['attendance', 'peak']],
  ['of counters or bookings alone', {}, 0, ['peak']],
  ['of people who are withheld', { attendance_source: 'badge_events' }, 0, ['attendance', 'peak']],
  ['that is still being counted', {}, 3, ['attendance', 'peak']],
])('a forecast for a scenario asks for what is known when floors have data %s', (_, row, pendingWeeks, expected) => {
  const items = [{ attendance: null, attendance_source: null, ...row }]
  const page = { items, meta: { pending_weeks: pendingWeeks } }
  expect(measuresOf(page as Parameters<typeof measuresOf>[0])).toEqual(expected) // all that is read
})

test.each([
  // A forecast of 60 days needs 133 days of history, of 28 days 98, of 14 days 84, and of 7 days 77.
  [60, 1, 28],
  [60, 35, 28],
  [60, 36, 14],
  [60, 56, 7],
  [60, 57, undefined],
  [7, 1, undefined],
])('horizonFor after %i days were refused for %i days of history too few is %p', (refused, missing, horizon) => {
  expect(horizonFor(refused, missing)).toBe(horizon)
})
