import { toFactTable } from '../../src/attendance/counting/facts.ts'
import type { MappedFacts, Places } from '../../src/attendance/counting/measures.ts'

type Kind = Parameters<typeof toFactTable>[0]

/** Returns a minute of the day, such as 540 for `09:00`. */
export const at = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))

/** Returns facts whose values of spaces and teams are positions, unless a map says otherwise. */
export function factsOf(
  kind: Kind,
  rows: readonly number[][],
  maps: { spaces?: number[]; spaceOf?: [number, number][]; teams?: number[] } = {},
): MappedFacts {
  const { spaces = rows.map((row) => row[1] ?? -1), teams = rows.map((row) => row[2] ?? -1) } = maps
  const identity = (positions: number[]) =>
    new Map(positions.filter((position) => position >= 0).map((position) => [position, position]))
  return {
    table: toFactTable(
      kind,
      rows.map((fact) => ({ fact, count: 1 })),
    ),
    spaceOf: maps.spaceOf === undefined ? identity(spaces) : new Map(maps.spaceOf),
    teamOf: identity(teams),
  }
}

/** Directions of swipes. */
export const [unknown, entry, exit] = [0, 1, 2]

/** Returns badge events of person, space, time and direction. @param readers other spaces that have a reader */
export const badges = (rows: [number, number, string, number][], readers: number[] = []): MappedFacts =>
  factsOf(
    'badge_events',
    rows.map(([person, space, time, direction]) => [person, space, -1, at(time) * 60, direction]),
    { spaces: [...readers, ...rows.map(([, space]) => space)] },
  )

/** Returns entries of a list of person and space. */
export const list = (rows: [number, number][]): MappedFacts =>
  factsOf(
    'attendance_days',
    rows.map(([person, space]) => [person, space, -1]),
  )

/** Spaces by position: a site with a building of two floors, and a room on the first floor. */
export const [site, building, floor1, floor2, room] = [0, 1, 2, 3, 4]

/** Returns these spaces, open from 08:00 to 18:00 unless stated. */
export const places = (opens = '08:00', closes = '18:00'): Places => ({
  parents: Int32Array.of(-1, site, building, building, floor1),
  opens: new Int32Array(5).fill(at(opens)),
  closes: new Int32Array(5).fill(at(closes)),
  // The room is only a part of its floor.
  isDivided: Uint8Array.of(1, 1, 0, 0, 0),
  isEmpty: new Uint8Array(5),
})

/** Returns the figures of the hours of a space that are not 0. */
export const hoursOf = (values: ArrayLike<number>, space: number): Record<number, number> =>
  Object.fromEntries(
    Array.from({ length: 24 }, (_, hour) => [hour, values[space * 24 + hour] ?? 0] as const).filter(
      ([, value]) => value !== 0,
    ),
  )
