import type { PathsRow } from '../store/forecast-paths.ts'
import type { CostedSpace } from '../store/spaces.ts'
import { pathOf, type Tree } from '../workplace/tree.ts'
import { separator } from './result/words.ts'

/** Half a person is the rounding of a forecast, as for needs. */
const rounding = 0.5
const meanOf = (paths: Float32Array): number => paths.reduce((sum, people) => sum + people, 0) / paths.length

/** Returns false for a remainder that rounds to no one. */
export const hasPeople = ({ isRemainder, paths }: Omit<People, 'node'>): boolean =>
  !isRemainder || meanOf(paths) >= rounding

/** The people of a team or space, or those of one and of none of those within it. */
type People = Pick<PathsRow, 'node' | 'isRemainder'> & {
  /** Present on a day of a sample path, at `day * pathCount + path`. */
  paths: Float32Array
}

/**
 * Returns the people of a forecast of floors.
 * @returns with a name like that of a team: `Berlin / People on Floor 1`
 */
export const floorPeople = (rows: readonly People[], spaces: Tree<CostedSpace>): (People & { name: string })[] =>
  countOnce(rows, spaces)
    .filter(hasPeople)
    .map((people) => ({ ...people, name: nameOf(pathOf(spaces, people.node), people.isRemainder) }))

/**
 * Lets each person need one place: people who visit two floors, or change between two teams, count in both, and once in
 * the building or team around them; the most people of two floors come at different times. The remainder around them is
 * negative by as much, which is taken off those within in proportion, in place. What is left of it are people who are
 * counted there and in none of those within.
 * @returns those that are in the tree
 */
export function countOnce<Row extends People>(rows: readonly Row[], tree: Tree): Row[] {
  const known = rows
    .map((row) => ({ row, path: pathOf(tree, row.node).map(({ id }) => id) }))
    .filter(({ path }) => path.length > 0)
  const outward = known.filter(({ row }) => row.isRemainder).sort((a, b) => b.path.length - a.path.length)
  for (const { row: remainder } of outward) {
    const within = known.flatMap(({ row, path }) =>
      row !== remainder && path.includes(remainder.node) ? [row.paths] : [],
    )
    takeOff(remainder.paths, within)
  }
  return known.map(({ row }) => row)
}

/** Takes what is negative of a remainder off the people within, in proportion. Allocates little: values are many. */
function takeOff(remainder: Float32Array, within: readonly Float32Array[]): void {
  if (remainder.every((rest) => rest >= 0)) return
  const sums = new Float64Array(remainder.length)
  for (const paths of within) for (let at = 0; at < sums.length; at++) sums[at] = (sums[at] ?? 0) + (paths[at] ?? 0)
  const shares = sums.map((sum, at) => {
    const rest = Math.min(0, remainder[at] ?? 0)
    return sum > 0 ? Math.max(0, sum + rest) / sum : rest < 0 ? 0 : 1
  })
  for (const paths of within)
    for (let at = 0; at < shares.length; at++) paths[at] = (paths[at] ?? 0) * (shares[at] ?? 1)
  for (let at = 0; at < remainder.length; at++) remainder[at] = Math.max(0, remainder[at] ?? 0)
}

const nameOf = ([own, ...around]: readonly CostedSpace[], isRemainder: boolean): string =>
  [...around.map(({ name }) => name).reverse(), `${isRemainder ? 'Others in' : 'People on'} ${own?.name ?? ''}`].join(
    separator,
  )
