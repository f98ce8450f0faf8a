import { beforeAll, describe, expect, it } from '@jest/globals'
import type { Highs } from 'highs'
import { BoundsPropagation } from '../../src/privacy/attacker-bounds.ts'
import { latticeBounds } from '../../src/privacy/audit-lattice.ts'
import { auditProgram } from '../../src/privacy/audit-program.ts'
import { createLattice, latticeShape, loadSolver, publishedSheets, suppress } from '../../src/privacy/index.ts'
import { randomLattice } from './random-lattice.ts'

const rule = { threshold: 5 }
const size = { hours: 0, people: 8, spaces: 3, teams: 2, movers: 0.3 }

/** Returns all values of each unknown over the whole solutions of a program, by trying all up to a limit. */
function enumerate(program: ReturnType<typeof auditProgram>, limit: number): [number, number][] {
  const { lower, upper, relations } = program
  const values = lower.slice()
  const found = lower.map((): [number, number] => [Infinity, -Infinity])
  const last = relations.map(({ terms }) => Math.max(...terms.map(([at]) => at)))
  const holdsAfter = (at: number) =>
    relations.every(({ terms, least, most }, index) => {
      if (last[index] !== at) return true
      const sum = terms.reduce((all, [unknown, coefficient]) => all + coefficient * (values[unknown] ?? 0), 0)
      return sum >= least && sum <= most
    })
  const place = (at: number): void => {
    if (at === values.length) {
      for (const [index, range] of found.entries()) {
        const value = values[index] ?? 0
        found[index] = [Math.min(range[0], value), Math.max(range[1], value)]
      }
      return
    }
    for (let value = lower[at] ?? 0; value <= Math.min(upper[at] ?? 0, limit); value++) {
      values[at] = value
      if (holdsAfter(at)) place(at + 1)
    }
  }
  place(0)
  return found
}

describe('the bounds of suppressed cells', () => {
  let highs: Highs
  beforeAll(async () => {
    highs = await loadSolver()
  })

  it('are those that the enumeration of all solutions finds', () => {
    let compared = 0
    const limit = 10
    for (let seed = 0; seed < 100; seed++) {
      const { spaces, teams, sheets } = randomLattice(seed, { ...size, days: seed % 2 })
      const lattice = createLattice(latticeShape(spaces, teams), sheets)
      suppress(lattice, rule)
      const published = { spaces, teams, sheets: publishedSheets(lattice) }
      const program = auditProgram(published, rule, true)
      const hidden = program.lower.filter((low, at) => low !== program.upper[at]).length
      if (hidden > 7) continue
      const solved = latticeBounds(highs, published, rule)
      // Not all values can be tried of cells that have no bound.
      if (solved.some(({ high }) => high > limit)) continue
      const enumerated = enumerate(program, limit)
      for (const { cell, low, high } of solved) {
        const at = program.unknowns.findIndex((each) => JSON.stringify(each) === JSON.stringify(cell))
        const [least, most] = enumerated[at] ?? [0, 0]
        expect({ seed, cell, low, high }).toEqual({ seed, cell, low: least, high: most })
        compared++
      }
    }
    expect(compared).toBeGreaterThan(50)
  })

  it('are no wider in the linear program than by propagation, and the same at one moment in a tree', () => {
    for (let seed = 0; seed < 20; seed++) {
      const { spaces, teams, sheets } = randomLattice(seed, {
        ...size,
        people: 40,
        spaces: 8,
        teams: 5,
        days: seed % 2,
        movers: 0,
      })
      const lattice = createLattice(latticeShape(spaces, teams), sheets)
      suppress(lattice, rule)
      const { low, high } = new BoundsPropagation(lattice, { ...rule, knowsZerosAreShown: true }).run(
        new Uint8Array(lattice.sheetCount).fill(1),
      )
      const published = { spaces, teams, sheets: publishedSheets(lattice) }
      for (const { cell, ...bounds } of latticeBounds(highs, published, rule)) {
        if (cell.isRemainder || cell.of === 'total') continue
        const node = (cell.of === 'space' ? lattice.shape.spaceNodes : lattice.shape.teamNodes)[cell.index] ?? 0
        const at = cell.sheet * lattice.shape.nodeCount + node
        const propagated = { low: low[at], high: Math.min(high[at] ?? 0, 1_000) }
        const solved = { low: bounds.low, high: Math.min(bounds.high, 1_000) }
        if (seed % 2 === 0) expect({ seed, cell, ...solved }).toEqual({ seed, cell, ...propagated })
        expect(solved.low).toBeGreaterThanOrEqual(propagated.low ?? 0)
        expect(solved.high).toBeLessThanOrEqual(propagated.high)
      }
    }
  })
})
