import { describe, expect, it } from '@jest/globals'
import { countWeek } from '../../src/attendance/counting/count-week.ts'
import { toFactTable } from '../../src/attendance/counting/facts.ts'
import type { MappedDataset } from '../../src/attendance/counting/measures.ts'
import { loadSolver } from '../../src/privacy/index.ts'
import { auditDay, publishedDay } from '../../src/privacy-audit/published-levels.ts'
import { noMeaning } from '../../src/store/datasets.ts'
import type { SpaceNode } from '../../src/store/spaces.ts'
import { utilizationRows } from '../../src/utilization/rows.ts'
import { shownSpaceDay } from '../../src/utilization/shown-day.ts'
import { buildTree } from '../../src/workplace/tree.ts'
import { randomFrom, randomParents } from '../privacy/random-lattice.ts'

const highs = await loadSolver()
const day = 20_514 // 2026-03-02
const threshold = 5
const openHours = { mon: { from: '08:00', to: '18:00' } }

type Kind = 'counts' | 'bookings' | 'badge_events'

/** Returns a day of a random tree: counters at some spaces, bookings of others and readers at more, mixed. */
function randomDay(seed: number) {
  const random = randomFrom(seed)
  const int = (below: number) => Math.floor(random() * below)
  const parents = randomParents(random, 4 + int(16))
  const idOf = (at: number) => `spc_${String(at).padStart(3, '0')}`
  const nodes = parents.map(
    (parent, at): SpaceNode => ({
      id: idOf(at),
      parentId: parent < 0 ? null : idOf(parent),
      name: idOf(at),
      kind: 'zone',
      capacity: null,
      externalId: null,
      currency: null,
      timezone: null,
      country: null,
      subdivision: null,
      openingHours: null,
    }),
  )
  const spaces = buildTree(nodes)
  const rows: Record<Kind, number[][]> = { counts: [], bookings: [], badge_events: [] }
  let person = 0
  for (const [at] of parents.entries()) {
    const isLeaf = !parents.includes(at)
    const kind = random()
    if (kind < 0.5 && (isLeaf || random() < 0.3))
      for (const minute of [480, 600, 640, 800])
        rows.counts.push([-1, at, -1, minute, int(random() < 0.5 ? 5 : 25), -1, -1])
    else if (kind < 0.7 && isLeaf)
      for (let booking = 0; booking < 3; booking++)
        rows.bookings.push([-1, at, -1, 500 + int(200), 720, 1 + int(8), -1, 0])
    else
      for (let guests = int(random() < 0.5 ? 4 : 20); guests > 0; guests--) {
        rows.badge_events.push([person, at, -1, (480 + int(300)) * 60, 1])
        rows.badge_events.push([person++, at, -1, (800 + int(200)) * 60, 2])
      }
  }
  const kinds = ['counts', 'bookings', 'badge_events'] as const
  const datasets = kinds.map((kind): MappedDataset => {
    const named = new Set(rows[kind].map((row) => row[1] ?? -1))
    const spaceOf = new Map([...named].map((at) => [at, spaces.positions.get(idOf(at)) ?? -1]))
    return {
      dataset: { id: kind, kind },
      range: { first: day, last: day },
      spaceOf,
      teamOf: new Map(),
      uses: noMeaning,
    }
  })
  const facts = new Map(
    kinds.map((kind) => {
      const table = toFactTable(
        kind,
        rows[kind].map((fact) => ({ fact, count: 1 })),
      )
      return [kind, new Map([[day, table]])]
    }),
  )
  const context = { spaces, teams: buildTree([]), datasets, openingHours: nodes.map(() => openHours) }
  const week = countWeek({ ...context, homeOf: new Int32Array(0) }, facts, [day], { threshold })
  const stored = (week.days[0]?.spaces ?? [])
    .filter(({ source }) => source !== null)
    .map((figures) => ({ ...figures, spaceId: spaces.nodes[figures.space]?.id ?? '', day: '2026-03-02' }))
  return { spaces, stored }
}

const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length

describe('levels of random days', () => {
  const seeds = Array.from({ length: 10 }, (_, at) => at + 1)
  const days = seeds.map((seed) => ({ seed, ...randomDay(seed) }))

  it('tell nothing about fewer people than the threshold, whatever they are measured by', () => {
    let [sensitive, complements, shown] = [0, 0, 0]
    for (const { seed, spaces, stored } of days) {
      const published = publishedDay(spaces, stored, { day: '2026-03-02', threshold })
      expect({ seed, findings: auditDay(highs, published, threshold) }).toEqual({ seed, findings: [] })
      for (const sheet of published.sheets)
        for (const [at, minutes] of Array.from(sheet.minutes).entries()) {
          if (minutes === 0) continue
          sensitive += sheet.sensitive[at] ?? 0
          complements += Number(sheet.suppressed[at] === 1 && sheet.sensitive[at] === 0)
          shown += Number(sheet.suppressed[at] === 0)
        }
    }
    expect(Math.min(sensitive, complements, shown)).toBeGreaterThan(50)
  })

  it('have an average of the day that is computed from the hours that are shown, unless only these are empty', () => {
    for (const { seed, stored } of days)
      for (const row of stored) {
        const subject = {
          id: { space_id: row.spaceId },
          isTeam: false,
          capacity: null,
          weeks: [],
          coverageOn: () => 1,
          days: [shownSpaceDay(row, threshold)],
        }
        const hours = utilizationRows(subject, 'hour').map(({ average }) => average)
        const levels = hours.slice(8, 18).flatMap((average) => average ?? [])
        const between = hours.map((average, hour) => {
          const before = hours.findLastIndex((known, at) => at <= hour && known !== null)
          const after = hours.findIndex((known, at) => at >= hour && known !== null)
          const [from = 0, to = 0] = [hours[before] ?? hours[after] ?? 0, hours[after] ?? hours[before] ?? 0]
          return average ?? (before < 0 || after < 0 ? from : from + ((to - from) * (hour - before)) / (after - before))
        })
        const [ofDay] = utilizationRows(subject, 'day')
        const isKnown = levels.some((level) => level > 0) || (levels.length > 0 && !ofDay?.suppressed)
        const expected = isKnown ? expect.closeTo(mean(between.slice(8, 18)), 3) : null
        expect({ seed, average: ofDay?.average }).toEqual({ seed, average: expected })
      }
  })
})
