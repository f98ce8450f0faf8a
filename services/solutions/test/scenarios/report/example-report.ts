import type { ScenarioReport } from '../../../src/scenarios/report/scenario-report.ts'
import { formatMoney } from '../../../src/scenarios/result/words.ts'
import type { ScenarioResult } from '../../../src/scenarios/scenario-job.ts'

type Floor = ScenarioResult['floors'][number]

const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri'] as const

/** The weekdays on which a floor is closed: of four, one on Fridays, and one all week. */
const closedOn = (at: number) => (at % 4 === 1 ? weekdays.slice(4) : at % 4 === 3 ? weekdays : [])

function exampleFloor(at: number, name: string): Floor {
  const open = weekdays.filter((weekday) => !(closedOn(at) as readonly string[]).includes(weekday))
  const use = (days: readonly (typeof weekdays)[number][], share: number) =>
    Object.fromEntries(days.map((weekday, day) => [weekday, share - day / 10]))
  return {
    space_id: `spc_${at}`,
    name,
    capacity: 60,
    open,
    utilization_before: use(weekdays, 0.6),
    utilization_after: use(open, 0.9),
    kept_open_by:
      open.length === 0 ? null : 'Without it, 180 places are left on Mondays: everyone has one on 12.5 % of them.',
  }
}

/** 480,000.00 × 0.35 × closed days / 5. */
function exampleLine({ space_id, name, open }: Floor) {
  const closed = weekdays.length - open.length
  const amount = 3_360_000 * closed
  const rent = open.length === 0 ? 31_200_000 : 0
  return {
    space_id,
    name,
    annual_cost: 48_000_000,
    avoidable_share: 0.35,
    closed_days: closed,
    amount,
    rent,
    arithmetic: `EUR 480,000 a year × 35 % that ends with a closed day × ${closed} of 5 days = ${formatMoney(amount, 'EUR')}`,
  }
}

const demand = (share: number) => ({
  people: { mon: 150, tue: 180.5, wed: 170, thu: 165, fri: 90 },
  utilization: share,
  service_level: 0.8,
  people_without_place: 1.25,
  people_on_other_floor: 3.5,
})

/** Returns a report with floors and teams of these names. Each third team sits on two floors. */
export function exampleReport(
  floorNames: readonly string[] = ['Berlin / A / 1', 'Berlin / A / 2', 'Berlin / B / 1', 'Berlin / B / 2'],
  teamNames: readonly string[] = ['Sales', 'Legal', 'Finance'],
): ScenarioReport {
  const floors = floorNames.map((name, at) => exampleFloor(at, name))
  const closing = floors.filter(({ open }) => open.length < weekdays.length)
  const lines = closing.map(exampleLine)
  const seat = (at: number) => floors[at % floors.length]?.space_id ?? ''
  return {
    id: 'scn_1',
    productName: 'Acme & Söhne',
    locale: undefined,
    finishedAt: new Date('2026-11-27T23:30:00Z'),
    timezone: 'Europe/Berlin',
    names: new Map([['spc_site', 'Berlin']]),
    currencies: new Map(),
    forecast: { historyUntil: '2026-11-22', days: 42 },
    asked: {
      name: 'Fridays',
      forecast_run_id: 'fr_1',
      space_id: 'spc_site',
      objective: 'lowest_cost',
      service_level: 0.95,
      time_limit_seconds: 30,
      changes: { close_spaces: [], headcount: [], attendance: [], capacity: [], cost: [] },
    },
    result: {
      is_feasible: true,
      conflict: [],
      gap: 0.004,
      weekdays: [...weekdays],
      floors,
      conclusion: 'Berlin / B / 2 all week can close, which saves EUR 201,600 a year.',
      teams: teamNames.map((name, at) => ({
        team_id: `team_${at}`,
        space_id: null,
        name,
        needs: {},
        moved_people: 12,
        seats: weekdays.flatMap((weekday) => [
          { weekday, space_id: seat(at), places: 30 },
          ...(at % 3 === 0 ? [{ weekday, space_id: seat(at + 1), places: 2 }] : []),
        ]),
      })),
      free: closing.map(({ space_id, name, open }) => ({
        space_id,
        name,
        weekdays: weekdays.filter((weekday) => !open.includes(weekday)),
      })),
      moved_people: 36,
      saving: {
        amount: lines.reduce((sum, { amount }) => sum + amount, 0),
        rent: lines.reduce((sum, { rent }) => sum + rent, 0),
        currency: 'EUR',
        lines,
      },
      next_point: { service_level: 0.96, saving: 20_000_000, cost: 160_000 },
      risk: {
        overflow_days: 0.027,
        by_weekday: { tue: 0.1 },
        people_without_place: 0.1,
        people_on_other_floor: 3.5,
        people: null,
      },
      before: demand(0.6),
      demand_changed: demand(0.6),
      allocation_changed: demand(0.9),
      warnings: ['The floor of Legal is not known.'],
    },
  }
}

/** A report of 200 teams on 30 floors. */
export const largeReport = (): ScenarioReport =>
  exampleReport(
    Array.from({ length: 30 }, (_, at) => `Berlin / House ${'ABCDEF'[Math.floor(at / 5)]} / Level ${(at % 5) + 1}`),
    Array.from({ length: 200 }, (_, at) => `Division ${at % 12} / Team ${at + 1}`),
  )

/** A report whose conditions cannot all be met. */
export function conflictReport(conflict: string[]): ScenarioReport {
  const { result, ...report } = exampleReport([], [])
  return {
    ...report,
    result: {
      is_feasible: false,
      conflict,
      gap: null,
      weekdays: result.weekdays,
      floors: [],
      teams: [],
      free: [],
      moved_people: 0,
      saving: null,
      next_point: null,
      risk: null,
      before: null,
      demand_changed: null,
      allocation_changed: null,
      warnings: [],
      conclusion: ['A place for everyone on 95 % of days is not possible.', ...conflict].join(' '),
    },
  }
}

/** Names that break layouts. */
export const hostileNames = [
  'x'.repeat(300),
  'Ein sehr langer Name '.repeat(15).trim(),
  'קומה ראשונה 12 בבניין',
  'الطابق الأول',
  '会議室の階層'.repeat(50),
  'Ελληνικά Кириллица',
  '👩‍👩‍👧 emoji\u0007\u202e\u0000',
  `a${'\u0300'.repeat(300)}`,
]
