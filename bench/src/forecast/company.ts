import type { HierarchyNode, Holiday } from '../../../services/solutions/src/forecast/index.ts'
import { gaussian, poisson, randomOf } from '../../../services/solutions/test/forecast/signals.ts'

interface CompanyOptions {
  /** Days since 1970-01-01. */
  firstDay: number
  days: number
  sites: readonly { id: string; holidays: Holiday[] }[]
  floors: number
  teams: number
  seed: number
}

/** A company whose days are all known: what a forecast must not see is cut off by `nodesUntil`. */
export interface Company {
  /** Attendance of each team by day. */
  attendance: Map<string, number[]>
  nodesUntil: (days: number, horizon: number, columns?: { holidays: boolean; bookings: boolean }) => HierarchyNode[]
}

const dayMs = 86_400_000
const weekdayRates = [0.55, 0.75, 0.72, 0.65, 0.32, 0.01, 0]

/**
 * Simulates sites of floors of teams: weekday patterns of each team, a year with a summer, holidays and bridge days,
 * reorganisations, good and bad days of a site, and bookings of about half of those who come.
 */
export function simulateCompany({ firstDay, days, sites, floors, teams, seed }: CompanyOptions): Company {
  const random = randomOf(seed)
  const attendance = new Map<string, number[]>()
  const bookings = new Map<string, number[]>()
  const dateOf = (index: number): string => new Date((firstDay + index) * dayMs).toISOString().slice(0, 10)
  const nodes: HierarchyNode[] = [{ id: 'company', parent: null }]
  for (const site of sites) {
    nodes.push({ id: site.id, parent: 'company', holidays: site.holidays })
    const closed = new Set(site.holidays.map(({ date }) => Date.parse(date) / dayMs - firstDay))
    const shock = walk(random, days, 0.6, 0.08)
    const level = walk(random, days, 0.995, 0.008)
    const events = Array.from({ length: days }, () => (random() < 0.03 ? 1.3 + 0.3 * random() : 1))
    for (let floor = 0; floor < floors; floor += 1) {
      const floorId = `${site.id}/${floor}`
      nodes.push({ id: floorId, parent: site.id })
      for (let team = 0; team < teams; team += 1) {
        const id = `${floorId}/${team}`
        const size = 4 + 40 * random() ** 2
        const pattern = weekdayRates.map((rate) => rate * Math.exp(0.3 * gaussian(random)))
        const own = walk(random, days, 0.99, 0.02)
        const change = { from: Math.floor(random() * days * 4), factor: 0.6 + 0.8 * random() }
        const booked: number[] = []
        const came = Array.from({ length: days }, (_, index) => {
          const day = firstDay + index
          const weekday = (day + 3) % 7
          const season = 1 - 0.18 * Math.exp(-((((day % 365.25) - 212) / 25) ** 2))
          const isBridge = (weekday === 0 && closed.has(index + 1)) || (weekday === 4 && closed.has(index - 1))
          const special = closed.has(index) ? 0.02 : isBridge ? 0.45 : 1
          const rate = size * (pattern[weekday] ?? 0) * season * special * (index >= change.from ? change.factor : 1)
          const mean =
            rate * (events[index] ?? 1) * Math.exp((shock[index] ?? 0) + (level[index] ?? 0) + (own[index] ?? 0))
          booked.push(poisson(random, 0.5 * mean))
          return poisson(random, mean)
        })
        nodes.push({ id, parent: floorId })
        attendance.set(id, came)
        bookings.set(id, booked)
      }
    }
  }
  return {
    attendance,
    nodesUntil: (
      known,
      horizon,
      { holidays: hasHolidays, bookings: hasBookings } = { holidays: true, bookings: true },
    ) =>
      nodes.map(({ id, parent, holidays }) => {
        const values = attendance.get(id)
        const since = dateOf(0)
        const covariate = { since, values: bookings.get(id)?.slice(0, known + horizon) ?? [] }
        return {
          ...{ id, parent },
          ...(values === undefined ? {} : { series: { since, values: values.slice(0, known) } }),
          ...(values !== undefined && hasBookings ? { covariate } : {}),
          ...(holidays !== undefined && hasHolidays ? { holidays } : {}),
        }
      }),
  }
}

/** An autoregressive series of order 1. */
function walk(random: () => number, days: number, memory: number, scatter: number): number[] {
  let value = 0
  return Array.from({ length: days }, () => {
    value = memory * value + scatter * gaussian(random)
    return value
  })
}
