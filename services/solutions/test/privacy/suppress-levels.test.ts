import { describe, expect, it } from '@jest/globals'
import { auditLevels } from '../../src/privacy/audit-levels.ts'
import { loadSolver } from '../../src/privacy/index.ts'
import { type LevelSheet, suppressLevels } from '../../src/privacy/suppress-levels.ts'
import { randomFrom, randomParents } from './random-lattice.ts'

const threshold = 5
const highs = await loadSolver()

/** Returns a sheet of levels that people are at for the whole hour; those of fewer than five are sensitive. */
const sheetOf = (parents: number[], people: number[]): LevelSheet => ({
  parents: Int32Array.from(parents),
  minutes: Int32Array.from(people, (level) => level * 60),
  sensitive: Uint8Array.from(people, (level) => Number(level > 0 && level < threshold)),
  hidden: new Uint8Array(people.length),
})

/** Returns the spaces that are hidden. */
function hiddenOf(parents: number[], people: number[], also: number[] = []): number[] {
  const sheet = sheetOf(parents, people)
  for (const at of also) sheet.hidden[at] = 1
  suppressLevels(sheet, threshold)
  return [...sheet.hidden.keys()].filter((at) => sheet.hidden[at] === 1)
}

const audit = ({ parents, minutes, sensitive, hidden }: LevelSheet) =>
  auditLevels(highs, parents, [{ minutes, sensitive, suppressed: hidden }], threshold)

/**
 * Returns levels of a random tree: counters at its leaves and at some spaces around them, of which some contradict
 * those within; people who stay for a part of the hour; levels that are hidden for another reason.
 */
function randomSheet(seed: number): LevelSheet {
  const random = randomFrom(seed)
  const parents = randomParents(random, 2 + Math.floor(random() * 30))
  const isLeaf = parents.map((_, at) => !parents.includes(at))
  const minutes = parents.map(() => 0)
  const peaks = parents.map(() => 0)
  for (let at = parents.length - 1; at >= 0; at--) {
    const isOwn = isLeaf[at] || random() < 0.2
    if (isOwn) {
      const level = random() < 0.15 ? 0 : Math.floor(random() ** 2 * 40)
      peaks[at] = isLeaf[at] || random() < 0.5 ? level + (peaks[at] ?? 0) : level
      minutes[at] = Math.floor((peaks[at] ?? 0) * 60 * (random() < 0.5 ? 1 : random()))
    }
    const parent = parents[at] ?? -1
    if (parent < 0) continue
    minutes[parent] = (minutes[parent] ?? 0) + (minutes[at] ?? 0)
    peaks[parent] = (peaks[parent] ?? 0) + (peaks[at] ?? 0)
  }
  return {
    parents: Int32Array.from(parents),
    minutes: Int32Array.from(minutes),
    sensitive: Uint8Array.from(peaks, (peak) => Number(peak > 0 && peak < threshold)),
    hidden: Uint8Array.from(parents, () => Number(random() < 0.05)),
  }
}

/** Returns how wide a hidden level is to a reader who takes some spaces to be no less than the sum of those in them. */
function widthOf(sheet: LevelSheet, space: number, addsUp: (at: number) => boolean): number {
  const { parents, minutes, hidden } = sheet
  const sumIn = (at: number): number =>
    parents.reduce((sum, parent, child) => (parent === at ? sum + leastOf(child) : sum), 0)
  const leastOf = (at: number) => (hidden[at] !== 1 ? (minutes[at] ?? 0) : addsUp(at) ? sumIn(at) : 0)
  const parent = parents[space] ?? -1
  if (parent < 0 || !addsUp(parent)) return Infinity
  return hidden[parent] === 1 ? widthOf(sheet, parent, addsUp) : (minutes[parent] ?? 0) - sumIn(parent)
}

describe('suppressLevels', () => {
  it('hides nothing where no level is small', () => {
    expect(hiddenOf([-1, 0, 0], [16, 10, 6])).toEqual([])
    expect(hiddenOf([-1, 0, 0], [10, 10, 0])).toEqual([])
  })

  it('hides the smallest other level that makes the difference large enough', () => {
    // 30 less 20 less 8 would be 2.
    expect(hiddenOf([-1, 0, 0, 0], [30, 20, 8, 2])).toEqual([2, 3])
  })

  it('hides no more where several small levels, or people elsewhere in the space, are enough together', () => {
    expect(hiddenOf([-1, 0, 0, 0], [26, 20, 3, 3])).toEqual([2, 3])
    expect(hiddenOf([-1, 0, 0], [26, 19, 2])).toEqual([2])
  })

  it('hides the space around where nothing else is there, and looks further outside', () => {
    // The only zone of floor 1; the other floor makes up for both.
    expect(hiddenOf([-1, 0, 0, 1], [22, 2, 20, 2])).toEqual([1, 2, 3])
    expect(hiddenOf([-1, 0], [2, 2])).toEqual([0, 1])
  })

  it('hides a part of a sum along with it, as the sum is known from its parts', () => {
    // Floor 2 is the sum of zones 4 and 5: hidden alone, it would be known.
    expect(hiddenOf([-1, 0, 0, 1, 2, 2], [32, 2, 30, 2, 20, 10])).toEqual([1, 2, 3, 5])
  })

  it('counts no more than a shown level leaves when counters within count more than the one around them', () => {
    expect(hiddenOf([-1, 0, 0, 0], [40, 30, 9, 2])).toEqual([2, 3])
    expect(hiddenOf([-1, 0, 0], [12, 13, 2])).toEqual([0, 2])
    expect(hiddenOf([-1, 0, 1], [9, 0, 2])).toEqual([1, 2])
    // The room counts 97 minutes, the floor around it 1: the site is 284, whatever they would be together.
    const minutes = Int32Array.of(284, 1, 283, 97)
    const sheet = { ...sheetOf([-1, 0, 0, 1], [5, 1, 5, 2]), minutes, hidden: Uint8Array.of(0, 1, 1, 1) }
    expect(audit(sheet).map(({ space }) => space)).toEqual([1, 3])
    suppressLevels(sheet, threshold)
    expect([...sheet.hidden]).toEqual([1, 1, 1, 1])
  })

  it('hides what lies in a space with few people, whatever it counts', () => {
    // The zone is the whole floor: shown, it would tell of the three people that the counter of the floor saw.
    const sheet = sheetOf([-1, 0, 0, 1], [40, 1, 20, 1])
    sheet.sensitive[3] = 0
    sheet.hidden[2] = 1
    expect(audit({ ...sheet, hidden: Uint8Array.of(0, 1, 1, 0) })).toEqual([{ sheet: 0, space: 1, low: 1, high: 1 }])
    suppressLevels(sheet, threshold)
    expect([...sheet.hidden]).toEqual([0, 1, 1, 1])
  })

  it('allows for what is known of hidden levels: that they are not 0', () => {
    // 3 and 2 are 5, of which each is a minute or more.
    expect(hiddenOf([-1, 0, 0, 0, 0], [25, 12, 8, 3, 2])).toEqual([2, 3, 4])
    const sheet = { ...sheetOf([-1, 0, 0, 0, 0], [25, 12, 8, 3, 2]), hidden: Uint8Array.of(0, 0, 0, 1, 1) }
    expect(audit(sheet).map(({ space }) => space)).toEqual([3, 4])
  })

  it('leaves no sensitive level of random trees that sums or a linear program bound tighter than the threshold', () => {
    let [sensitive, shown] = [0, 0]
    for (let seed = 1; seed <= 600; seed++) {
      const sheet = randomSheet(seed)
      suppressLevels(sheet, threshold)
      const few = [...sheet.parents.keys()].filter((at) => sheet.sensitive[at] === 1 && (sheet.minutes[at] ?? 0) > 0)
      // Whichever of the counters that contradict each other are taken to add up.
      for (const share of [0, 0.25, 0.5]) {
        const random = randomFrom(seed)
        const fails = sheet.parents.map(() => Number(random() < share))
        const bounded = few.filter((at) => widthOf(sheet, at, (space) => fails[space] === 0) < threshold * 60)
        expect({ seed, bounded }).toEqual({ seed, bounded: [] })
      }
      if (seed > 120) continue
      expect({ seed, violations: audit(sheet) }).toEqual({ seed, violations: [] })
      sensitive += sheet.sensitive.reduce((sum, is) => sum + is, 0)
      shown += sheet.hidden.reduce((sum, is, at) => sum + Number(is === 0 && (sheet.minutes[at] ?? 0) > 0), 0)
    }
    expect(sensitive).toBeGreaterThan(200)
    expect(shown).toBeGreaterThan(500)
  })

  it('is found by the audit where complements are shown', () => {
    const sheet = sheetOf([-1, 0, 0, 0], [30, 20, 8, 2])
    sheet.hidden[3] = 1
    expect(audit(sheet)).toEqual([{ sheet: 0, space: 3, low: 2, high: 2 }])
    sheet.hidden[2] = 1
    expect(audit(sheet)).toEqual([])
  })
})
