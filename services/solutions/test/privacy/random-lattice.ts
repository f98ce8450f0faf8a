import type { SheetCounts } from '../../src/privacy/lattice.ts'
import type { Forest } from '../../src/privacy/lattice-shape.ts'

export interface RandomLattice {
  spaces: Forest
  teams: Forest
  sheets: SheetCounts[]
}

export interface LatticeSize {
  /** 0 for a single moment. */
  days: number
  hours: number
  people: number
  spaces: number
  teams: number
  /** The share of people who are in more than one space a day. */
  movers: number
}

/** Returns a generator of numbers below 1 (mulberry32), the same for the same seed. */
export function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** Returns the parents of a random tree with chains, wide groups and several roots. */
export function randomParents(random: () => number, size: number): number[] {
  return Array.from({ length: size }, (_, node) => {
    if (node === 0 || random() < 0.08) return -1
    // Half of the nodes are below one of the last two, which makes chains.
    return random() < 0.4 ? Math.max(0, node - 1 - Math.floor(random() * 2)) : Math.floor(random() * node)
  })
}

interface Person {
  team: number
  home: number
  presence: number
}

/** Returns counts of a week of people who move through the spaces: any relation between counts holds by itself. */
export function randomLattice(seed: number, size: LatticeSize): RandomLattice {
  const random = randomFrom(seed)
  const pick = (count: number) => Math.floor(random() * count)
  const spaces = randomParents(random, size.spaces)
  const teams = randomParents(random, size.teams)
  const usedSpaces = Array.from({ length: 1 + pick(size.spaces) }, () => pick(size.spaces))
  const people = Array.from({ length: size.people }, (): Person => {
    const inTeam = random() < 0.03 ? -1 : pick(size.teams)
    return { team: inTeam, home: usedSpaces[pick(usedSpaces.length)] ?? 0, presence: random() < 0.2 ? 1 : random() }
  })
  const tally = new Tally(spaces, teams)
  const headcounts = new Array<number>(teams.length).fill(0)
  for (const { team } of people) for (const node of pathOf(teams, team)) headcounts[node] = (headcounts[node] ?? 0) + 1
  const week = tally.sheet(-1)
  for (let day = 0; day < Math.max(1, size.days); day++) {
    const daySheet = size.days === 0 ? week : tally.sheet(week)
    const hours = Array.from({ length: size.hours }, () => tally.sheet(daySheet, false))
    for (const [person, { team, home, presence }] of people.entries()) {
      if (random() > presence) continue
      const present = hours.filter(() => random() < 0.5)
      if (present.length === 0 && hours[0] !== undefined) present.push(hours[pick(hours.length)] ?? hours[0])
      if (present.length === 0) present.push(daySheet)
      for (const sheet of present) tally.count(sheet, person, random() < size.movers ? pick(spaces.length) : home, team)
    }
  }
  const withHeadcounts = random() < 0.8 ? { headcounts } : {}
  return { spaces: { parents: spaces }, teams: { parents: teams, ...withHeadcounts }, sheets: tally.counts() }
}

class Tally {
  private readonly spaces: number[]
  private readonly teams: number[]
  private readonly sheets: { within: number; hasTeams: boolean; people: Set<number>; in: Map<string, Set<number>> }[] =
    []

  constructor(spaces: number[], teams: number[]) {
    this.spaces = spaces
    this.teams = teams
  }

  sheet(within: number, hasTeams = true): number {
    return this.sheets.push({ within, hasTeams, people: new Set(), in: new Map() }) - 1
  }

  count(sheet: number, person: number, space: number, team: number): void {
    for (let at = sheet; at >= 0; at = this.sheets[at]?.within ?? -1) {
      const counted = this.sheets[at]
      counted?.people.add(person)
      const keys = [
        ...pathOf(this.spaces, space).map((node) => `s${node}`),
        ...pathOf(this.teams, team).map((node) => `t${node}`),
      ]
      for (const key of keys) counted?.in.set(key, (counted.in.get(key) ?? new Set()).add(person))
    }
  }

  counts(): SheetCounts[] {
    return this.sheets.map(({ within, hasTeams, people, in: cells }) => ({
      within,
      total: people.size,
      spaces: this.spaces.map((_, node) => cells.get(`s${node}`)?.size ?? 0),
      ...(hasTeams ? { teams: this.teams.map((_, node) => cells.get(`t${node}`)?.size ?? 0) } : {}),
    }))
  }
}

function pathOf(parents: number[], node: number): number[] {
  const path: number[] = []
  for (let at = node; at >= 0; at = parents[at] ?? -1) path.push(at)
  return path
}
