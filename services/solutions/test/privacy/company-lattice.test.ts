import { describe, expect, it } from '@jest/globals'
import { createLattice, latticeShape, publishedSheets, type SheetCounts, suppress } from '../../src/privacy/index.ts'
import { randomFrom } from './random-lattice.ts'

/** Two buildings of 6 floors with 4 zones each; 8 departments of 5 teams of 10 to 80 people. */
const spaceKinds = ['site']
const spaces = [-1]
const teamKinds: string[] = []
const teams: number[] = []
const headcounts: number[] = []
const random = randomFrom(7)

function add(parents: number[], kinds: string[], parent: number, kind: string): number {
  kinds.push(kind)
  return parents.push(parent) - 1
}

for (let floor = 0; floor < 12; floor++) {
  if (floor % 6 === 0) add(spaces, spaceKinds, 0, 'building')
  const building = spaceKinds.lastIndexOf('building')
  const parent = add(spaces, spaceKinds, building, 'floor')
  for (let zone = 0; zone < 4; zone++) add(spaces, spaceKinds, parent, 'zone')
}
for (let team = 0; team < 40; team++) {
  if (team % 5 === 0) headcounts[add(teams, teamKinds, -1, 'department')] = 0
  const department = teamKinds.lastIndexOf('department')
  const headcount = 10 + Math.floor(random() * 71)
  headcounts[add(teams, teamKinds, department, 'team')] = headcount
  headcounts[department] = (headcounts[department] ?? 0) + headcount
}

/** Returns a day on which each team sits in two zones, with 30 to 70 % of its members, and three of its hours. */
function companyDay(): SheetCounts[] {
  const sheet = (within: number) => ({ within, total: 0, spaces: spaces.map(() => 0), teams: teams.map(() => 0) })
  const sheets = [sheet(-1), sheet(0), sheet(0), sheet(0)]
  const zones = spaceKinds.flatMap((kind, index) => (kind === 'zone' ? [index] : []))
  for (const [team, kind] of teamKinds.entries()) {
    if (kind !== 'team') continue
    const presence = 0.3 + 0.4 * random()
    const first = Math.floor(random() * zones.length)
    for (let member = 0; member < (headcounts[team] ?? 0); member++) {
      if (random() > presence) continue
      const zone = zones[(first + Math.floor(2 * random())) % zones.length] ?? 0
      const stay = [1, 2, 3].filter(() => random() < 0.7)
      for (const at of [0, ...(stay.length === 0 ? [1] : stay)]) {
        const counts = sheets[at]
        if (!counts) continue
        counts.total++
        for (let node = zone; node >= 0; node = spaces[node] ?? -1) counts.spaces[node] = (counts.spaces[node] ?? 0) + 1
        for (let node = team; node >= 0; node = teams[node] ?? -1) counts.teams[node] = (counts.teams[node] ?? 0) + 1
      }
    }
  }
  return sheets.map(({ teams: counts, ...rest }) => (rest.within < 0 ? { ...rest, teams: counts } : rest))
}

describe('what suppression costs a company with 12 floors and 40 teams', () => {
  it('is no floor, no department and few teams of a day', () => {
    const lattice = createLattice(latticeShape({ parents: spaces }, { parents: teams, headcounts }), companyDay())
    suppress(lattice, { threshold: 5 })
    const [day] = publishedSheets(lattice)
    const hidden = new Map<string, number>()
    for (const [kinds, cells] of [[spaceKinds, day?.spaces] as const, [teamKinds, day?.teams] as const]) {
      for (const [index, kind] of kinds.entries()) {
        hidden.set(kind, (hidden.get(kind) ?? 0) + (cells?.suppressed[index] ?? 0))
      }
    }
    expect(Object.fromEntries(hidden)).toMatchObject({ site: 0, building: 0, floor: 0, department: 0 })
    expect(hidden.get('team')).toBeLessThanOrEqual(8)
    expect(hidden.get('zone')).toBeLessThanOrEqual(8)
  })
  it('is another floor and a zone, and no building, beside a floor with 3 people', () => {
    // Two sites with a building each, of 4 and of 2 floors, the first 3 with 2 zones. All are there in one hour.
    const parents = [-1, -1, 0, 1, 2, 2, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6]
    const day = [63, 41, 63, 41, 20, 21, 19, 3, 22, 19, 8, 12, 9, 12, 8, 11]
    const sheets = [-1, 0].map((within) => ({ within, total: 104, spaces: day }))
    const lattice = createLattice(latticeShape({ parents }), sheets)
    suppress(lattice, { threshold: 5 })
    const [published] = publishedSheets(lattice)
    const hidden = [...day.keys()].filter((space) => published?.spaces.suppressed[space] === 1)
    expect(published?.isTotalSuppressed).toBe(false)
    expect(hidden).toEqual([6, 7, 14])
  })
})
