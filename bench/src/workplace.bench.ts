import { createRandom } from '@wp/lab/random'
import type { TestFleet } from '@wp/testkit'
import { inDatabase, postgresProcess, requireOk, setRateLimits, withFleet } from './harness/fleet.ts'
import { cpuPerRequest, meteredProcess, startMeter } from './harness/process-usage.ts'
import { type Row, report } from './harness/report.ts'
import { percentileColumns, percentiles } from './harness/statistics.ts'

type Options = Record<'spaces' | 'days' | 'requests', number>

/** Measures answers about utilization through the gateway in a workspace with that many spaces and days. */
export async function run(options: Options): Promise<void> {
  await withFleet({ services: ['auth', 'data', 'solutions'] }, async (fleet) => {
    await fillWorkspace(fleet, options)
    await setRateLimits(fleet)
    const services = (['solutions', 'gateway'] as const).map((name) => meteredProcess(name, fleet.member(name)))
    const processes = [...services, await postgresProcess(fleet.databases.get('solutions')?.adminUrl ?? '')]
    const random = createRandom(2)
    const results: Row[] = []
    for (const [name, query] of Object.entries(questions)) {
      const times: number[] = []
      const meter = startMeter(processes)
      for (let request = 0; request < options.requests; request++) {
        const space = Math.floor(random.between(0, 112))
        const path = `/v1/solutions/workplace/utilization?space_id=${idOf(space)}&${query}`
        const startedAt = performance.now()
        await requireOk(fleet.request('GET', path, { as: fleet.owner.apiKey }))
        times.push(performance.now() - startedAt)
      }
      const use = meter()
      const costs = processes.map((used) => [`${used.name} CPU ms`, cpuPerRequest(use, used.name, options.requests)])
      results.push({ name, ...percentileColumns(percentiles(times)), ...Object.fromEntries(costs) })
    }
    report('workplace', results, { spaces: options.spaces, days: options.days })
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
  await inDatabase(fleet, 'solutions', async (client) => {
    await client.query(
      `INSERT INTO spaces (workspace_id, id, parent_id, name, kind, capacity)
       SELECT $1, id, parent_id, name, kind, 50 FROM jsonb_to_recordset($2::jsonb) AS given (id text, parent_id text, name text, kind text)`,
      [workspaceId, JSON.stringify(spaceRows(spaces))],
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

/** Sites of 5 buildings of 10 floors; the other spaces are zones of the floors. */
function spaceRows(spaces: number) {
  const [sites, buildings, floors] = [2, 10, 100]
  return Array.from({ length: spaces }, (_, at) => {
    const level = at < sites ? 0 : at < sites + buildings ? 1 : at < sites + buildings + floors ? 2 : 3
    const starts = [0, sites, sites + buildings, sites + buildings + floors]
    const widths = [1, sites, buildings, floors]
    const above = level === 0 ? -1 : (starts[level - 1] ?? 0) + ((at - (starts[level] ?? 0)) % (widths[level] ?? 1))
    return { id: idOf(at), parent_id: above < 0 ? null : idOf(above), name: `Space ${at}`, kind: kinds[level] ?? '' }
  })
}
const kinds = ['site', 'building', 'floor', 'zone']
