import type { Highs } from 'highs'
import { auditLevels, type PublishedLevels } from '../privacy/audit-levels.ts'
import type { SpaceNode } from '../store/spaces.ts'
import type { SpaceDayRow } from '../store/utilization.ts'
import { shownSpaceDay } from '../utilization/shown-day.ts'
import type { Tree } from '../workplace/tree.ts'

/** The levels of a day as answers show them, of the spaces that have any. */
export interface PublishedDay {
  day: string
  ids: string[]
  names: string[]
  /** The nearest space around each that has levels too, by its place; -1 for none. */
  parents: number[]
  /** By hour. */
  sheets: PublishedLevels[]
}

export function publishedDay(
  tree: Tree<SpaceNode>,
  spaceDays: readonly SpaceDayRow[],
  { day, threshold }: { day: string; threshold: number },
): PublishedDay {
  const rows = new Map(
    spaceDays.filter(({ hourlyAverage }) => hourlyAverage.length > 0).map((row) => [row.spaceId, row]),
  )
  const nodes = tree.nodes.filter(({ id }) => rows.has(id))
  const places = new Map(nodes.map(({ id }, place) => [id, place]))
  const parentOf = (id: string): number => {
    const above = tree.nodes[tree.parents[tree.positions.get(id) ?? -1] ?? -1]
    return above === undefined ? -1 : (places.get(above.id) ?? parentOf(above.id))
  }
  const shown = nodes.map(({ id }) => {
    const row = rows.get(id)
    return row === undefined
      ? []
      : shownSpaceDay(row, threshold)
          .hours()
          .map(({ level }) => level)
  })
  const of = (figure: (row: SpaceDayRow) => number) =>
    nodes.map(({ id }) => {
      const row = rows.get(id)
      return row === undefined ? 0 : figure(row)
    })
  return {
    day,
    ids: nodes.map(({ id }) => id),
    names: nodes.map(({ name }) => name),
    parents: nodes.map(({ id }) => parentOf(id)),
    sheets: Array.from({ length: 24 }, (_, hour) => ({
      minutes: of(({ hourlyAverage }) => Math.round((hourlyAverage[hour] ?? 0) * 60)),
      sensitive: of((row) => Number(isAboutFew(row, hour, threshold))),
      suppressed: shown.map((levels) => Number(levels[hour] === null)),
    })),
  }
}

function isAboutFew(row: SpaceDayRow, hour: number, threshold: number): boolean {
  const people = (row.source === 'badge_events' && !row.isRaised ? row.hourlyAttendance : row.hourlyPeak)[hour] ?? 0
  return people > 0 && people < threshold
}

/** Returns the withheld levels of few people that the others tell, in words. */
export const auditDay = (highs: Highs, { day, names, parents, sheets }: PublishedDay, threshold: number): string[] =>
  auditLevels(highs, parents, sheets, threshold).map(
    ({ sheet, space, low, high }) =>
      `${names[space]}, ${day}T${String(sheet).padStart(2, '0')}: ${low.toFixed(1)} to ${high.toFixed(1)} people on average`,
  )
