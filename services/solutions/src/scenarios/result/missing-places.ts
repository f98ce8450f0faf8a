import { createSeating } from './seat-people.ts'

/** Groups of teams with the same floors, up to which all sets of them are looked at. */
const maxGroups = 12

/**
 * Returns a function that counts the people who stay without a place at least, however all others are seated; 0 if
 * there are none. It is the most by which the teams of any set exceed the floors that these may use.
 * Source: Hall, *On representatives of subsets*, Journal of the London Mathematical Society 10 (1935).
 * @param allowed the open floors of each team
 * @returns a function of the people of each team
 */
export function createMissing(
  allowed: readonly (readonly number[])[],
  capacities: readonly number[],
): (people: ArrayLike<number>) => number {
  const groups = [...new Map(allowed.map((floors) => [floors.join(), floors])).values()]
  const keys = groups.map((floors) => floors.join())
  const groupOf = allowed.map((floors) => keys.indexOf(floors.join()))
  const demand = new Float64Array(groups.length)
  const missingOf = groups.length > maxGroups ? bySeating(groups, capacities) : bySets(groups, capacities)
  return (people) => {
    demand.fill(0)
    for (let team = 0; team < groupOf.length; team++) {
      const group = groupOf[team] ?? 0
      demand[group] = (demand[group] ?? 0) + (people[team] ?? 0)
    }
    return missingOf(demand)
  }
}

type Groups = readonly (readonly number[])[]

/** Those beyond all places together are only a lower bound, and are found at once. */
function bySeating(groups: Groups, capacities: readonly number[]): (demand: Float64Array) => number {
  const open = new Set(groups.flat())
  const places = capacities.reduce((sum, capacity, floor) => sum + (open.has(floor) ? capacity : 0), 0)
  const seated = groups.map((floors) => ({ allowed: floors, planned: [] }))
  const seat = createSeating(seated, capacities)
  return (demand) => {
    const excess = demand.reduce((sum, people) => sum + people, -places)
    return excess > 1 ? excess : seat(demand).withoutPlace
  }
}

function bySets(groups: Groups, capacities: readonly number[]): (demand: Float64Array) => number {
  const sets = setsOf(groups, capacities)
  return (demand) => {
    let missing = 0
    for (const { members, places } of sets) {
      let sum = -places
      for (const group of members) sum += demand[group] ?? 0
      if (sum > missing) missing = sum
    }
    return missing
  }
}

/** Returns sets of groups with the places that they may use, of those with the same floors only the largest. */
function setsOf(groups: Groups, capacities: readonly number[]) {
  const unions = new Map<string, Set<number>>([['', new Set()]])
  for (const group of groups)
    for (const union of [...unions.values()]) {
      const floors = new Set([...union, ...group])
      unions.set([...floors].sort((a, b) => a - b).join(), floors)
    }
  return [...unions.values()].map((floors) => ({
    members: [...groups.keys()].filter((at) => (groups[at] ?? []).every((floor) => floors.has(floor))),
    places: [...floors].reduce((sum, floor) => sum + (capacities[floor] ?? 0), 0),
  }))
}
