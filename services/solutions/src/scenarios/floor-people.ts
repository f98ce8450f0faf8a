import type { PathsRow } from '../store/forecast-paths.ts'
import type { CostedSpace } from '../store/spaces.ts'
import { pathOf, type Tree } from '../workplace/tree.ts'
import { separator } from './result/words.ts'

/** The people who are counted on a floor, or in a space and in none of those within it. */
export interface SpacePeople {
  spaceId: string
  isRemainder: boolean
  /** With the names of those around it, as that of a team: `Berlin / People on Floor 1`. */
  name: string
  /** Present on a day of a sample path, at `day * pathCount + path`. */
  paths: Float32Array
}

/**
 * Returns the people of a forecast of floors, each of whom needs one place: people who visit two floors count on both,
 * and once in the building. The remainder of a building is negative by that much, and takes it off its floors in
 * proportion. What is left of it are people who are counted in the building and on none of its floors.
 */
export function floorPeople(
  rows: readonly (Pick<PathsRow, 'node' | 'isRemainder'> & { paths: Float32Array })[],
  spaces: Tree<CostedSpace>,
): SpacePeople[] {
  const people = rows.flatMap(({ node, isRemainder, paths }) => {
    const path = pathOf(spaces, node)
    return path.length === 0 ? [] : [{ spaceId: node, isRemainder, path, paths: paths.slice() }]
  })
  const outward = people.filter(({ isRemainder }) => isRemainder).sort((a, b) => b.path.length - a.path.length)
  for (const { spaceId, paths } of outward)
    countOnce(
      people.flatMap((inner) =>
        inner.paths !== paths && inner.path.some(({ id }) => id === spaceId) ? [inner.paths] : [],
      ),
      paths,
    )
  return people
    .filter(({ isRemainder, paths }) => !isRemainder || paths.some((present) => present > 0))
    .map(({ path, ...one }) => ({ ...one, name: nameOf(path, one.isRemainder) }))
}

/** Takes a negative remainder off what is inside, in place. */
function countOnce(inside: readonly Float32Array[], remainder: Float32Array): void {
  for (const [at, rest] of remainder.entries()) {
    if (rest >= 0) continue
    const sum = inside.reduce((all, paths) => all + (paths[at] ?? 0), 0)
    const share = sum > 0 ? Math.max(0, sum + rest) / sum : 0
    for (const paths of inside) paths[at] = (paths[at] ?? 0) * share
    remainder[at] = 0
  }
}

const nameOf = ([own, ...around]: readonly CostedSpace[], isRemainder: boolean): string =>
  [...around.map(({ name }) => name).reverse(), `${isRemainder ? 'Others in' : 'People on'} ${own?.name ?? ''}`].join(
    separator,
  )
