import { coverAbove, LevelCounter, type MeasureFigures, minutesPerDay } from './figures.ts'
import { readersOf } from './measure-people.ts'
import type { MappedFacts, Places } from './measures.ts'

/**
 * Counts bookings that were used, or of which it is not known, as the people whom they were made for: one, unless the
 * file states the attendees.
 */
export function measureBookings(facts: readonly MappedFacts[], { parents }: Places): MeasureFigures {
  const levels = new LevelCounter(parents)
  for (const { table, spaceOf } of facts) {
    const [, spaces, , starts, ends, attendees, used, cancelled] = table.columns
    for (const [at, count] of table.counts.entries()) {
      const space = spaceOf.get(spaces?.[at] ?? -1) ?? -1
      if (space < 0 || cancelled?.[at] === 1 || used?.[at] === 0) continue
      const people = attendees?.[at] ?? -1
      levels.add(space, starts?.[at] ?? 0, ends?.[at] ?? 0, (people < 0 ? 1 : people) * count)
    }
  }
  const isCovered = coverAbove(parents, readersOf(facts))
  return { isCovered, ...levels.finish() }
}

/**
 * Counts people counters. A reading of a level holds until the next one, and until the space closes. Of entrances and
 * exits the level is what came in less what went out since midnight by all doors of the space, at least 0: drift does
 * not last over a night. A counter that reads 0 all day while badges of its space were used has failed, and is left
 * out.
 *
 * @param isInUse true if another measure saw people in the space
 * @returns the figures, and the values of failed counters
 */
export function measureCounts(
  facts: readonly MappedFacts[],
  places: Places,
  isInUse: (space: number) => boolean,
): { figures: MeasureFigures; failed: { facts: MappedFacts; value: number }[] } {
  const { parents, closes } = places
  const levels = new LevelCounter(parents)
  const working = new Map<number, CounterReading[][]>()
  const ofOthers = new Map<number, CounterReading[][]>()
  const failed: { facts: MappedFacts; value: number }[] = []
  for (const mapped of facts) {
    for (const [space, counters] of working) ofOthers.set(space, [...counters])
    for (const [value, readings] of readingsByValue(mapped)) {
      const space = mapped.spaceOf.get(value) ?? -1
      if (space < 0) continue
      if (isInUse(space) && readings.every(({ value: level, in: came }) => level <= 0 && came <= 0)) {
        failed.push({ facts: mapped, value })
        continue
      }
      const repeated = ofOthers.get(space)?.find((others) => repeats(readings, others))
      if (repeated === undefined) working.set(space, [...(working.get(space) ?? []), readings])
      else addMissing(repeated, readings)
    }
  }
  const isOwn = (space: number) => working.has(space)
  for (const [space, counters] of working)
    for (const readings of mergeDoors(counters))
      for (const { from, to, level } of levelsOf(readings, closes[space] ?? minutesPerDay)) {
        levels.addAt(space, from, to, level)
        // A space around it that has counters of its own is measured by those.
        for (let at = parents[space] ?? -1; at >= 0 && !isOwn(at); at = parents[at] ?? -1)
          levels.addAt(at, from, to, level)
      }
  const isCovered = fullyCounted(places, [...working.keys()])
  return { figures: { isCovered, ...levels.finish() }, failed }
}

interface CounterReading {
  minute: number
  value: number
  in: number
  out: number
}

const minRepeated = 5
const minDifferent = 3

/** Returns true if readings are those of another dataset for as long as both have some: files that overlap. */
function repeats(readings: readonly CounterReading[], others: readonly CounterReading[]): boolean {
  const from = Math.max(readings[0]?.minute ?? 0, others[0]?.minute ?? 0)
  const to = Math.min(readings.at(-1)?.minute ?? 0, others.at(-1)?.minute ?? 0)
  const [own, known] = [readings, others].map((all) => all.filter(({ minute }) => minute >= from && minute <= to))
  const isSame = own?.length === known?.length && own?.every((one, at) => keyOf(one) === keyOf(known?.[at] ?? one))
  const moving = own?.filter(({ value, in: came, out }) => value > 0 || came > 0 || out > 0) ?? []
  const different = new Set(moving.map((reading) => keyOf({ ...reading, minute: 0 })))
  // Counters of two rooms may agree in a few readings, or in the same one all day.
  return isSame === true && moving.length >= minRepeated && different.size >= minDifferent
}

const keyOf = ({ minute, value, in: came, out }: CounterReading): string => `${minute} ${value} ${came} ${out}`

function addMissing(known: CounterReading[], readings: readonly CounterReading[]): void {
  const minutes = new Set(known.map(({ minute }) => minute))
  known.push(...readings.filter(({ minute }) => !minutes.has(minute)))
  known.sort((a, b) => a.minute - b.minute)
}

/** Groups the readings of a day by counter, in the order of their times. */
function readingsByValue({ table, spaceOf }: MappedFacts): Map<number, CounterReading[]> {
  const [, spaces, , minutes, values, ins, outs] = table.columns
  const byValue = new Map<number, CounterReading[]>()
  for (const [at, count] of table.counts.entries()) {
    const space = spaces?.[at] ?? -1
    if ((spaceOf.get(space) ?? -1) < 0) continue
    const reading = {
      minute: minutes?.[at] ?? 0,
      value: values?.[at] ?? -1,
      in: Math.max(0, ins?.[at] ?? 0) * count,
      out: Math.max(0, outs?.[at] ?? 0) * count,
    }
    const readings = byValue.get(space)
    if (readings === undefined) byValue.set(space, [reading])
    else readings.push(reading)
  }
  for (const readings of byValue.values()) readings.sort((a, b) => a.minute - b.minute)
  return byValue
}

/** Adds up the entrances and exits of a space by minute: who comes in by one door may leave by another. */
function mergeDoors(counters: readonly CounterReading[][]): CounterReading[][] {
  const [levels, doors] = [[] as CounterReading[][], [] as CounterReading[]]
  for (const readings of counters)
    if (readings.some(({ value }) => value >= 0)) levels.push(readings)
    else doors.push(...readings)
  const byMinute = [...Map.groupBy(doors, ({ minute }) => minute)].sort(([a], [b]) => a - b)
  const merged = byMinute.map(([minute, own]) => ({
    minute,
    value: -1,
    in: own.reduce((sum, reading) => sum + reading.in, 0),
    out: own.reduce((sum, reading) => sum + reading.out, 0),
  }))
  return merged.length === 0 ? levels : [...levels, merged]
}

function* levelsOf(
  readings: readonly CounterReading[],
  closes: number,
): Generator<{ from: number; to: number; level: number }> {
  let level = 0
  for (const [at, reading] of readings.entries()) {
    level = reading.value >= 0 ? reading.value : Math.max(0, level + reading.in - reading.out)
    const to = readings[at + 1]?.minute ?? Math.max(closes, reading.minute + 1)
    if (to > reading.minute) yield { from: reading.minute, to: Math.min(to, minutesPerDay), level }
  }
}

/** Marks the spaces that have a counter, and those made up of spaces that are all marked or hold no one. */
function fullyCounted({ parents, isDivided, isEmpty }: Places, counters: readonly number[]): Uint8Array {
  const isCovered = new Uint8Array(parents.length)
  const counted = new Int32Array(parents.length)
  const missing = new Int32Array(parents.length)
  for (const space of counters) isCovered[space] = 1
  for (let at = parents.length - 1; at >= 0; at--) {
    if (isDivided[at] === 1 && missing[at] === 0 && (counted[at] ?? 0) > 0) isCovered[at] = 1
    const parent = parents[at] ?? -1
    if (parent < 0) continue
    if (isCovered[at] === 1) counted[parent] = (counted[parent] ?? 0) + 1
    else if (isEmpty[at] === 0) missing[parent] = (missing[parent] ?? 0) + 1
  }
  return isCovered
}
