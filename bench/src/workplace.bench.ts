import type { TestFleet } from '@wp/testkit'
import { countStaleWeek, type WeekInput } from '../../services/solutions/src/attendance/count-stale-week.ts'
import { packFacts, toFactTable } from '../../services/solutions/src/attendance/counting/facts.ts'
import { loadSolver } from '../../services/solutions/src/privacy/index.ts'
import { dateOf } from '../../services/solutions/src/workplace/local-days.ts'
import { buildTree } from '../../services/solutions/src/workplace/tree.ts'
import { randomOf } from '../../services/solutions/test/forecast/signals.ts'
import { inDatabase, postgresProcess, requireOk, setRateLimits, withFleet } from './harness/fleet.ts'
import { cpuPerRequest, meteredProcess, startMeter } from './harness/process-usage.ts'
import { type Row, report } from './harness/report.ts'
import { percentileColumns, percentiles } from './harness/statistics.ts'

interface Options {
  events: number
  people: number
  spaces: number
  days: number
  requests: number
}

const monday = 20_151 // 2025-03-03

/**
 * Measures the workplace at its design size. count: packing and counting a week of badge events; answers: utilization
 * through the gateway in a workspace with that many spaces and days.
 */
export async function run(options: Options, parts: readonly string[]): Promise<void> {
  if (parts.length === 0 || parts.includes('count')) await measureCount(options)
  if (parts.length === 0 || parts.includes('answers')) await measureAnswers(options)
}

/** Sites of 5 buildings of 10 floors; the other spaces are zones of the floors. */
function spaceRows(spaces: number) {
  const [sites, buildings, floors] = [2, 10, 100]
  return Array.from({ length: spaces }, (_, at) => {
    const level = at < sites ? 0 : at < sites + buildings ? 1 : at < sites + buildings + floors ? 2 : 3
    const starts = [0, sites, sites + buildings, sites + buildings + floors]
    const widths = [1, sites, buildings, floors]
    const above = level === 0 ? -1 : (starts[level - 1] ?? 0) + ((at - (starts[level] ?? 0)) % (widths[level] ?? 1))
    return {
      id: `spc_${at}`,
      parentId: above < 0 ? null : `spc_${above}`,
      name: `Space ${at}`,
      kind: kinds[level] ?? '',
    }
  })
}
const kinds = ['site', 'building', 'floor', 'zone']

async function measureCount({ events, people, spaces }: Options): Promise<void> {
  const perDay = Math.round(events / workdays)
  const random = randomOf(1)
  const int = (below: number) => Math.floor(random() * below)
  const present = Math.min(people, Math.round(perDay / swipesEach))
  const [startedAt, days] = [performance.now(), [0, 1, 2, 3, 4]]
  let bytes = 0
  const segments = days.map((day) => {
    const rows = Array.from({ length: present }, () => int(people)).flatMap((person) => {
      const home = int(spaces)
      return Array.from({ length: swipesEach }, (_, swipe) => ({
        count: 1,
        fact: [person, random() < 0.8 ? home : int(spaces), -1, 25_200 + swipe * 4_500 + int(4_000), 1 + (swipe % 2)],
      }))
    })
    const facts = Uint8Array.from(packFacts(toFactTable('badge_events', rows)))
    bytes += facts.length
    return { datasetId: 'ds_1', segmentId: day, day: dateOf(monday + day), facts }
  })
  const packedMs = performance.now() - startedAt
  const nodes = spaceRows(spaces).map((row) => ({ ...emptyNode, ...row }))
  const tree = buildTree(nodes)
  const dataset = { id: 'ds_1', kind: 'badge_events' } as WeekInput['context']['datasets'][number]['dataset'] // the fields that a count reads
  const context: WeekInput['context'] = {
    spaces: tree,
    teams: buildTree([]),
    datasets: [
      {
        ...{ dataset, teamOf: new Map(), range: { first: monday, last: monday + days.length - 1 } },
        spaceOf: new Map(nodes.map(({ id }, at) => [at, tree.positions.get(id) ?? -1])),
      },
    ],
    openingHours: nodes.map(() => hours),
    homeOf: new Int32Array(0),
  }
  const countedAt = performance.now()
  const { rows } = countStaleWeek(
    {
      ...{ context, segments, days: segments.map(({ day }) => day), week: dateOf(monday), rule: { threshold: 5 } },
    },
    await loadSolver(),
  )
  const countedMs = performance.now() - countedAt
  const inWeek = present * swipesEach * days.length
  const result: Row = {
    name: 'a week of badge events',
    events: inWeek,
    'bytes an event': bytes / inWeek,
    'pack s': packedMs / 1000,
    'count s': countedMs / 1000,
    'µs an event': (countedMs * 1000) / inWeek,
    'rows written': rows.spaceDays.length,
    'heap MiB': process.memoryUsage().heapUsed / 2 ** 20,
  }
  report('workplace-count', [result], { events, people, spaces })
}
const workdays = 250
const swipesEach = 8
const hours = Object.fromEntries(
  ['mon', 'tue', 'wed', 'thu', 'fri'].map((day) => [day, { from: '07:00', to: '20:00' }]),
)
const emptyNode = {
  ...{ externalId: null, capacity: 50, currency: null, timezone: null, country: null, subdivision: null },
  openingHours: null,
}

async function measureAnswers(options: Options): Promise<void> {
  await withFleet({ services: ['auth', 'data', 'solutions'] }, async (fleet) => {
    await fillWorkspace(fleet, options)
    await setRateLimits(fleet)
    const processes = [
      meteredProcess('solutions', fleet.member('solutions')),
      meteredProcess('gateway', fleet.member('gateway')),
      await postgresProcess(fleet.databases.get('solutions')?.adminUrl ?? ''),
    ]
    const random = randomOf(2)
    const results: Row[] = []
    for (const [name, query] of Object.entries(questions)) {
      const times: number[] = []
      const meter = startMeter(processes)
      for (let request = 0; request < options.requests; request++) {
        const space = Math.floor(random() * 112)
        const path = `/v1/solutions/workplace/utilization?space_id=${idOf(space)}&${query}`
        const startedAt = performance.now()
        await requireOk(fleet.request('GET', path, { as: fleet.owner.apiKey }))
        times.push(performance.now() - startedAt)
      }
      const use = meter()
      results.push({
        ...{ name, ...percentileColumns(percentiles(times)) },
        'service cpu ms': cpuPerRequest(use, 'solutions', options.requests),
        'gateway cpu ms': cpuPerRequest(use, 'gateway', options.requests),
        'PostgreSQL cpu ms': cpuPerRequest(use, 'PostgreSQL', options.requests),
      })
    }
    report('workplace-answers', results, { spaces: options.spaces, days: options.days })
  })
}

const questions = {
  'a month by day': 'interval=day&since=2025-03-01&until=2025-04-01',
  'a year by day': 'interval=day&since=2025-01-01&until=2026-01-01',
  'a year by weekday, with children': 'interval=weekday&children=true&since=2025-01-01&until=2026-01-01',
  'two weeks by hour': 'interval=hour&since=2025-03-03&until=2025-03-17',
}

/** A TypeID made of the number of a space. */
const idOf = (space: number): string => `spc_${String(space).padStart(26, '0')}`

async function fillWorkspace(fleet: TestFleet, { spaces, days }: Options): Promise<void> {
  const workspaceId = fleet.owner.workspaceId
  const rows = spaceRows(spaces).map(({ id, parentId, name, kind }) => ({
    ...{ id: idOf(Number(id.slice(4))), name, kind },
    parent_id: parentId === null ? null : idOf(Number(parentId.slice(4))),
  }))
  await inDatabase(fleet, 'solutions', async (client) => {
    await client.query(
      `INSERT INTO spaces (workspace_id, id, parent_id, name, kind, capacity)
       SELECT $1, id, parent_id, name, kind, 50 FROM jsonb_to_recordset($2::jsonb) AS given (id text, parent_id text, name text, kind text)`,
      [workspaceId, JSON.stringify(rows)],
    )
    await client.query(
      `INSERT INTO space_days (workspace_id, space_id, day, attendance, attendance_source, source, open_hours,
         hourly_attendance, hourly_average, hourly_peak)
       SELECT $1, id, day::date, 40, 'badge_events', 'badge_events', 1048448,
         array_fill(20, ARRAY[24]), array_fill(17.5::real, ARRAY[24]), array_fill(22, ARRAY[24])
       FROM spaces, generate_series('2025-01-01'::date, '2025-01-01'::date + $2::int - 1, interval '1 day') AS day
       WHERE workspace_id = $1`,
      [workspaceId, days],
    )
    await client.query('ANALYZE')
  })
}
