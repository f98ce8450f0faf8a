import { beforeAll, describe, expect, it } from '@jest/globals'
import type { Highs } from 'highs'
import {
  auditLattice,
  createLattice,
  type Forest,
  latticeShape,
  loadSolver,
  type PrivacyRule,
  publishedSheets,
  type SheetCounts,
  suppress,
  suppressAudited,
} from '../../src/privacy/index.ts'
import { type LatticeSize, randomLattice } from './random-lattice.ts'

const rule = { threshold: 5 }
const noTeams: Forest = { parents: [] }

/** Returns the counts of spaces and teams at one moment after suppression, null for what is suppressed. */
function shown(
  spaces: Forest,
  counts: number[],
  { total = 0, teams = noTeams, teamCounts = [0], by = rule as PrivacyRule },
) {
  const lattice = createLattice(latticeShape(spaces, teams), [{ total, spaces: counts, teams: teamCounts, within: -1 }])
  suppress(lattice, by)
  const [sheet] = publishedSheets(lattice)
  const cellsOf = (cells?: { counts: ArrayLike<number>; suppressed: ArrayLike<number> }) =>
    Array.from(cells?.counts ?? [], (count, at) => (cells?.suppressed[at] === 1 ? null : count))
  return {
    total: sheet?.isTotalSuppressed ? null : total,
    spaces: cellsOf(sheet?.spaces),
    teams: cellsOf(sheet?.teams),
  }
}

describe('suppression at one moment', () => {
  /** A building of floors. */
  const floors = (count: number) => ({ parents: [-1, ...Array.from({ length: count }, () => 0)] })

  it('hides a small cell and the smallest sibling that protects it, and shows an empty floor', () => {
    expect(shown(floors(4), [57, 3, 0, 14, 40], { total: 57 }).spaces).toEqual([57, null, 0, null, 40])
  })

  it('hides nothing when no cell is small', () => {
    expect(shown(floors(3), [45, 15, 20, 10], { total: 45 }).spaces).toEqual([45, 15, 20, 10])
  })

  it('shows floors beside a building in which a few people are on none of them', () => {
    expect(shown(floors(2), [42, 20, 20], { total: 42 }).spaces).toEqual([42, 20, 20])
  })

  it('hides a chain of single children up to the place where others protect it', () => {
    // Two buildings, the first with one floor with one zone.
    const chain = { parents: [-1, -1, 0, 2] }
    expect(shown(chain, [3, 30, 3, 3], { total: 33 }).spaces).toEqual([null, null, null, null])
  })

  it('hides the total too when no other cell can protect a small one', () => {
    expect(shown(floors(1), [3, 3], { total: 3 })).toEqual({ total: null, spaces: [null, null], teams: [] })
    expect(shown(floors(2), [5, 3, 2], { total: 5 })).toEqual({ total: null, spaces: [null, null, null], teams: [] })
  })

  it('hides a team with few absent members unless the rule allows it', () => {
    const teams = { parents: [-1, -1, -1], headcounts: [20, 30, 40] }
    const day = { total: 48, teams, teamCounts: [18, 15, 15] }
    expect(shown(noTeams, [], day).teams).toEqual([null, null, 15])
    expect(shown(noTeams, [], { ...day, by: { ...rule, protectAbsent: false } }).teams).toEqual([18, 15, 15])
    expect(shown(noTeams, [], { ...day, total: 50, teamCounts: [20, 15, 15] }).teams).toEqual([20, 15, 15])
  })

  it('hides a team below the threshold even when it is absent, but not below a parent that is', () => {
    const teams = { parents: [-1, -1, -1], headcounts: [4, 30, 40] }
    // Two are not enough: the second team would be known to be 11 to 15.
    expect(shown(noTeams, [], { total: 35, teams, teamCounts: [0, 15, 20] }).teams).toEqual([null, null, null])
    expect(shown(noTeams, [], { total: 0, teams, teamCounts: [0, 0, 0] }).teams).toEqual([0, 0, 0])
  })

  it('refuses counts that contradict each other', () => {
    expect(() => shown(floors(1), [3, 4], { total: 4 })).toThrow('the count of a child is above that of its parent')
    expect(() => latticeShape({ parents: [1, 0] })).toThrow('circle')
    expect(() => latticeShape({ parents: [7] })).toThrow('the parent of node 0 is not a node')
    const day = { total: 9, spaces: [9], within: -1 }
    const contradiction = [day, { total: 10, spaces: [9], within: 0 }]
    expect(() => createLattice(latticeShape({ parents: [-1] }), contradiction)).toThrow('above the coarser one')
    const missingHours = [day, { total: 8, spaces: [8], within: 0 }]
    expect(() => createLattice(latticeShape({ parents: [-1] }), missingHours)).toThrow('finer sheets are missing')
  })
})

describe('the audit of what is published', () => {
  let highs: Highs
  beforeAll(async () => {
    highs = await loadSolver()
  })

  const sizes = (seed: number): LatticeSize => ({
    days: seed % 4,
    hours: seed % 3,
    people: 5 + ((seed * 7) % 60),
    spaces: 2 + (seed % 9),
    teams: 2 + ((seed * 3) % 7),
    movers: seed % 2 === 0 ? 0.15 : 0,
  })
  const ruleOf = (seed: number) => ({ threshold: seed % 5 === 4 ? 10 : 5, protectAbsent: seed % 3 !== 2 })

  it('finds nothing in 40 random lattices, and only rarely what the bounds of suppression miss', () => {
    let missed = 0
    for (let seed = 0; seed < 40; seed++) {
      const { spaces, teams, sheets } = randomLattice(seed, sizes(seed))
      const lattice = createLattice(latticeShape(spaces, teams), sheets)
      suppress(lattice, ruleOf(seed))
      const before = lattice.hidden.slice()
      suppressAudited(highs, lattice, { spaces, teams }, ruleOf(seed))
      if (before.some((isHidden, cell) => isHidden !== lattice.hidden[cell])) missed++
      const violations = auditLattice(highs, { spaces, teams, sheets: publishedSheets(lattice) }, ruleOf(seed))
      expect({ seed, violations }).toEqual({ seed, violations: [] })
    }
    expect(missed).toBeLessThanOrEqual(2)
  })

  it('finds the small cells that only primary suppression protects', () => {
    const spaces = { parents: [-1, 0, 0, 0] }
    const day = { total: 57, isTotalSuppressed: false, within: -1 }
    const audit = (suppressed: number[]) =>
      auditLattice(
        highs,
        { spaces, teams: noTeams, sheets: [{ ...day, spaces: { counts: [57, 3, 14, 40], suppressed } }] },
        rule,
      )
    expect(audit([0, 1, 0, 0])).toEqual([expect.objectContaining({ low: 3, high: 3 })])
    expect(audit([0, 1, 1, 0])).toEqual([])
  })

  it('finds a day that its shown hours give away', () => {
    const spaces = { parents: [-1, -1] }
    const sheets: SheetCounts[] = [
      { total: 23, spaces: [12, 11], within: -1 },
      { total: 22, spaces: [12, 10], within: 0 },
      { total: 1, spaces: [0, 1], within: 0 },
    ]
    const lattice = createLattice(latticeShape(spaces), sheets)
    lattice.hidden.set([1, 1], lattice.shape.spaceNodes[0])
    const audit = () => auditLattice(highs, { spaces, teams: noTeams, sheets: publishedSheets(lattice) }, rule)
    expect(audit().map(({ low, high }) => [low, high])).toEqual([
      [12, 12],
      [11, 11],
    ])
    suppress(lattice, rule)
    expect(audit()).toEqual([])
  })
})
