import type { PathsRow } from '../store/forecast-paths.ts'
import type { CostedSpace } from '../store/spaces.ts'
import { pathOf, type Tree } from '../workplace/tree.ts'
import { separator } from './result/words.ts'

/** Half a person is the rounding of a forecast, as for needs. */
const rounding = 0.5
const meanOf = (paths: Float32Array): number => paths.reduce((sum, people) => sum + people, 0) / paths.length

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
    .filter(({ isRemainder, paths }) => !isRemainder || meanOf(paths) >= rounding)
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
    for (const [at, rest] of remainder.paths.entries()) {
      if (rest >= 0) continue
      const sum = within.reduce((all, paths) => all + (paths[at] ?? 0), 0)
      const share = sum > 0 ? Math.max(0, sum + rest) / sum : 0
      for (const paths of within) paths[at] = (paths[at] ?? 0) * share
      remainder.paths[at] = 0
    }
  }
  return known.map(({ row }) => row)
}

const nameOf = ([own, ...around]: readonly CostedSpace[], isRemainder: boolean): string =>
  [...around.map(({ name }) => name).reverse(), `${isRemainder ? 'Others in' : 'People on'} ${own?.name ?? ''}`].join(
    separator,
  )
