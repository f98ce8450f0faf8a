import type { FactTable } from './facts.ts'

/** The teams of people on a day. */
export interface Memberships {
  /** The position of the team of each person. */
  teamOf: ReadonlyMap<number, number>
  /** The people of whom a row is valid on the day, also one whose team is none of the tree. */
  listed: ReadonlySet<number>
  /** Members by team, with those of the teams in it; null where neither people nor a headcount are stated. */
  headcounts: (number | null)[]
}

/** Facts of a dataset of people with the teams of its values. */
export interface PeopleFacts {
  table: FactTable
  teamOf: ReadonlyMap<number, number>
}

/**
 * Returns true if `until` is the last day of a membership, and false if it is the day after. Lists are written either
 * way; people who move from one team to another show which: their next membership begins on the day after `until`, or
 * on `until` itself. A list without such people counts the day.
 */
export function includesLastDay(people: readonly Pick<PeopleFacts, 'table'>[]): boolean {
  const begins = new Map<number, Set<number>>()
  for (const { table } of people)
    for (let at = 0; at < table.counts.length; at++) {
      const person = table.columns[0]?.[at] ?? -1
      begins.set(person, (begins.get(person) ?? new Set()).add(table.columns[3]?.[at] ?? -1))
    }
  let [onLastDay, onNextDay] = [0, 0]
  for (const { table } of people)
    for (let at = 0; at < table.counts.length; at++) {
      const until = table.columns[4]?.[at] ?? -1
      const own = begins.get(table.columns[0]?.[at] ?? -1)
      if (until >= 0 && own?.has(until) === true) onLastDay++
      if (until >= 0 && own?.has(until + 1) === true) onNextDay++
    }
  return onNextDay >= onLastDay
}

/**
 * Returns the memberships of a day. A person with several has the one that began last. A team that no dataset of people
 * names has its stated headcount and no members.
 *
 * @param stated the headcount of each team as it was entered
 */
export function membershipsOn(
  day: number,
  people: readonly PeopleFacts[],
  parents: Int32Array,
  stated: readonly (number | null)[],
): Memberships {
  const teamOf = new Map<number, number>()
  const listed = new Set<number>()
  const began = new Map<number, number>()
  const lastDay = includesLastDay(people) ? 0 : 1
  for (const { table, teamOf: teams } of people) {
    const [persons, , values, froms, untils] = table.columns
    for (let at = 0; at < table.counts.length; at++) {
      const [from, until] = [froms?.[at] ?? -1, untils?.[at] ?? -1]
      const team = teams.get(values?.[at] ?? -1) ?? -1
      const person = persons?.[at] ?? -1
      if ((from >= 0 && day < from) || (until >= 0 && day > until - lastDay)) continue
      listed.add(person)
      if (team < 0 || from < (began.get(person) ?? Number.NEGATIVE_INFINITY)) continue
      began.set(person, from)
      teamOf.set(person, team)
    }
  }
  return { teamOf, listed, headcounts: headcountsOf(teamOf, people, parents, stated) }
}

/** Returns the members of each team. Where no dataset names the team or one in it, the headcount is the stated one. */
function headcountsOf(
  teamOf: ReadonlyMap<number, number>,
  people: readonly PeopleFacts[],
  parents: Int32Array,
  stated: readonly (number | null)[],
): (number | null)[] {
  const isNamed = new Uint8Array(parents.length)
  for (const { teamOf: teams } of people)
    for (const team of teams.values()) for (let at = team; at >= 0; at = parents[at] ?? -1) isNamed[at] = 1
  const sums = new Array<number | null>(parents.length).fill(null)
  for (const team of teamOf.values()) sums[team] = (sums[team] ?? 0) + 1
  // Children come after their parents.
  for (let at = parents.length - 1; at >= 0; at--) {
    const own = isNamed[at] === 1 ? (sums[at] ?? 0) : (stated[at] ?? sums[at] ?? null)
    sums[at] = own
    const parent = parents[at] ?? -1
    if (own !== null && parent >= 0) sums[parent] = (sums[parent] ?? 0) + own
  }
  return sums
}

/**
 * Adds the teams that rows of badges or lists state, for people of whom no dataset of people tells a team.
 * @returns the people whose rows state one, also one that is none of the tree
 */
export function addStatedTeams(
  teamOf: Map<number, number>,
  facts: readonly { table: FactTable; teamOf: ReadonlyMap<number, number> }[],
): ReadonlySet<number> {
  const stated = new Set<number>()
  for (const { table, teamOf: teams } of facts)
    for (let at = 0; at < table.counts.length; at++) {
      const person = table.columns[0]?.[at] ?? -1
      const value = table.columns[2]?.[at] ?? -1
      const team = teams.get(value) ?? -1
      if (value >= 0) stated.add(person)
      if (team >= 0 && !teamOf.has(person)) teamOf.set(person, team)
    }
  return stated
}
