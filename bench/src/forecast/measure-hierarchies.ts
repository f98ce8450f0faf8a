import { existsSync } from 'node:fs'
import {
  createForecastThreads,
  type HierarchyNode,
  holidaysOf,
} from '../../../services/solutions/src/forecast/index.ts'
import type { Row } from '../harness/report.ts'
import { simulateCompany } from './company.ts'
import { type Case, measureCases } from './measure-hierarchy.ts'
import { readPedestrians } from './pedestrians.ts'

const dayMs = 86_400_000
const horizons = [30, 90]
/** Three years, of which the last quarters are forecast. */
const companyDays = 1_094
const companyFirstDay = Date.parse('2023-01-02') / dayMs
const quarter = 90

/**
 * Measures hierarchies of 30 and 90 days from several origins a quarter apart: a simulated company, each origin another
 * one, and pedestrians of a city where their file is there; with and without holidays and bookings.
 */
export async function measureHierarchies(origins: number, pedestriansFile: string | undefined): Promise<Row[]> {
  const threads = createForecastThreads()
  const rows: Row[] = []
  const span = { since: '2021-12-01', until: '2026-12-31' }
  try {
    const sites = await Promise.all(
      ['BY', 'BE'].map(async (subdivision) => ({
        id: `site ${subdivision}`,
        holidays: await holidaysOf({ country: 'DE', subdivision, ...span }),
      })),
    )
    const companies = Array.from({ length: origins }, (_, index) =>
      simulateCompany({ firstDay: companyFirstDay, days: companyDays, sites, floors: 3, teams: 4, seed: index + 1 }),
    )
    const knowledge = [
      { name: 'company', holidays: true, bookings: true },
      { name: 'company, no bookings', holidays: true, bookings: false },
      { name: 'company, no bookings, no holidays', holidays: false, bookings: false },
    ]
    for (const horizon of horizons) {
      for (const { name, ...columns } of knowledge) {
        const cases = companies.map(({ attendance, nodesUntil }, index): Case => {
          const known = companyDays - quarter * (index + 1)
          return caseOf(nodesUntil(known, horizon, columns), companyFirstDay, known, horizon, attendance)
        })
        rows.push(...(await measureCases(name, cases, horizon, threads)))
      }
      if (pedestriansFile === undefined || !existsSync(pedestriansFile)) continue
      const { firstDay, days, nodesUntil, values } = readPedestrians(pedestriansFile)
      const holidays = await holidaysOf({ country: 'NZ', subdivision: 'AUK', ...span })
      for (const known of [holidays, []]) {
        const cases = Array.from({ length: origins }, (_, index): Case => {
          const end = days - quarter * (index + 1)
          return caseOf(nodesUntil(end, known), firstDay, end, horizon, values)
        })
        rows.push(
          ...(await measureCases(`pedestrians${known.length > 0 ? '' : ', no holidays'}`, cases, horizon, threads)),
        )
      }
    }
  } finally {
    await threads.close()
  }
  return rows
}

function caseOf(
  nodes: HierarchyNode[],
  firstDay: number,
  known: number,
  horizon: number,
  values: ReadonlyMap<string, number[]>,
): Case {
  const actual = new Map<string, number[]>()
  const actualOf = (id: string): number[] => {
    const own = values.get(id)?.slice(known, known + horizon)
    const below = nodes.filter(({ parent }) => parent === id).map((child) => actualOf(child.id))
    const found =
      own ?? Array.from({ length: horizon }, (_, day) => below.reduce((sum, row) => sum + (row[day] ?? 0), 0))
    actual.set(id, found)
    return found
  }
  for (const { id, parent } of nodes) if (parent === null) actualOf(id)
  return { nodes, lastDate: new Date((firstDay + known - 1) * dayMs).toISOString().slice(0, 10), actual }
}
