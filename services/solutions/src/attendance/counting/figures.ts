/** Hours of a local day; on the day of a change of the clock, the repeated hour counts once more. */
export const hoursPerDay = 24
export const minutesPerDay = 1_440

/** Figures of one measure for every space of a tree, by position; hourly ones by position × 24 + hour. */
export interface MeasureFigures {
  /** 1 if the space or one in it has a reader, counter or room of the measure. */
  isCovered: Uint8Array
  hourlyAverage: Float32Array
  hourlyPeak: Int32Array
  /** Changes of the level by space and minute, of the spaces that have any. */
  changes: ReadonlyMap<number, Int32Array>
}

/**
 * Adds up how many people are in each space over a day. A person who is in a space is in every space around it. All
 * times are minutes of the day; an interval includes its first minute and excludes its last.
 */
export class LevelCounter {
  readonly #parents: Int32Array
  /** Changes of the level by space and minute, made for the spaces that have any. */
  readonly #changes = new Map<number, Int32Array>()

  constructor(parents: Int32Array) {
    this.#parents = parents
  }

  add(space: number, from: number, to: number, people: number): void {
    const [start, end] = [Math.max(0, from), Math.min(minutesPerDay, to)]
    if (end <= start) return
    for (let at = space; at >= 0; at = this.#parents[at] ?? -1) this.addAt(at, start, end, people)
  }

  /** Adds to one space alone. */
  addAt(space: number, start: number, end: number, people: number): void {
    let changes = this.#changes.get(space)
    if (changes === undefined) {
      changes = new Int32Array(minutesPerDay + 1)
      this.#changes.set(space, changes)
    }
    changes[start] = (changes[start] ?? 0) + people
    changes[end] = (changes[end] ?? 0) - people
  }

  /** Returns the mean level and the highest level of each hour. */
  finish(): Omit<MeasureFigures, 'isCovered'> {
    const spaces = this.#parents.length
    const hourlyAverage = new Float32Array(spaces * hoursPerDay)
    const hourlyPeak = new Int32Array(spaces * hoursPerDay)
    for (const [space, changes] of this.#changes) {
      const { average, peak } = hoursOf(changes)
      hourlyAverage.set(average, space * hoursPerDay)
      hourlyPeak.set(peak, space * hoursPerDay)
    }
    return { hourlyAverage, hourlyPeak, changes: this.#changes }
  }
}

/** Returns the mean level and the highest level of each hour of changes by minute. */
function hoursOf(changes: Int32Array): { average: number[]; peak: number[] } {
  const [average, peaks]: [number[], number[]] = [[], []]
  let level = 0
  for (let hour = 0; hour < hoursPerDay; hour++) {
    let [sum, peak] = [0, 0]
    for (let minute = hour * 60; minute < hour * 60 + 60; minute++) {
      level += changes[minute] ?? 0
      sum += level
      if (level > peak) peak = level
    }
    average.push(Math.fround(sum / 60))
    peaks.push(peak)
  }
  return { average, peak: peaks }
}

/**
 * Returns the levels of the spaces that are raised to the sum of their parts: people on different floors are different
 * people at one moment, and a counter sees those who do not swipe. Who swipes at the door of a building is in it and
 * perhaps on a counted floor, so the sum and the level of the space itself are compared and not added. Parts that a
 * less direct measure tells raise nothing: bookings are made for more people than come.
 *
 * @param parents come before their children
 * @param measureOf the measure of each space, the most direct one 0; -1 for none
 * @param measures by number, of which the first are counters
 */
export function raiseToParts(
  parents: Int32Array,
  measureOf: readonly number[],
  measures: readonly MeasureFigures[],
): Map<number, { average: number[]; peak: number[] }> {
  // Without counters, nothing is raised.
  if (!measureOf.includes(0)) return new Map()
  const raised = new Map<number, Int32Array>()
  const parts = new Map<number, { isCounted: boolean; changes: Int32Array | undefined }>()
  const unchanged = new Int32Array(minutesPerDay + 1)
  for (let at = parents.length - 1; at >= 0; at--) {
    const measure = measureOf[at] ?? -1
    if (measure < 0) continue
    const own = measures[measure]?.changes.get(at)
    const inner = parts.get(at)
    const isRaised = measure > 0 && inner?.isCounted === true && inner.changes !== undefined
    const changes = isRaised ? higherOf(own ?? unchanged, inner.changes ?? unchanged) : own
    if (isRaised && changes !== undefined) raised.set(at, changes)
    let above = parents[at] ?? -1
    while (above >= 0 && (measureOf[above] ?? -1) < 0) above = parents[above] ?? -1
    if (measure > (measureOf[above] ?? -1)) continue
    const sum = parts.get(above)
    const isCounted = measure === 0 || inner?.isCounted === true || sum?.isCounted === true
    const added = sum?.changes && changes && sum.changes.map((one, minute) => one + (changes[minute] ?? 0))
    parts.set(above, { isCounted, changes: added ?? sum?.changes ?? changes })
  }
  return new Map([...raised].map(([space, changes]) => [space, hoursOf(changes)]))
}

/** Returns the changes of the higher of two levels in each minute. */
function higherOf(one: Int32Array, other: Int32Array): Int32Array {
  let [first, second, before] = [0, 0, 0]
  return one.map((change, minute) => {
    first += change
    second += other[minute] ?? 0
    const level = Math.max(first, second)
    const difference = level - before
    before = level
    return difference
  })
}

/** Counts different people by space, and by space and hour. All marks of one person must be made in a row. */
export class PeopleCounter {
  readonly attendance: Int32Array
  readonly hourlyAttendance: Int32Array
  /** The visits in pairs of position and person, for counts over several days. */
  readonly visits: number[] = []
  readonly #parents: Int32Array
  readonly #lastPerson: Int32Array
  readonly #lastPersonOfHour: Int32Array

  constructor(parents: Int32Array) {
    this.#parents = parents
    this.attendance = new Int32Array(parents.length)
    this.hourlyAttendance = new Int32Array(parents.length * hoursPerDay)
    this.#lastPerson = new Int32Array(parents.length).fill(-1)
    this.#lastPersonOfHour = new Int32Array(parents.length * hoursPerDay).fill(-1)
  }

  /** Marks a person as seen in a space and in all around it. */
  visit(space: number, person: number): void {
    for (let at = space; at >= 0; at = this.#parents[at] ?? -1) {
      if (this.#lastPerson[at] === person) continue
      this.#lastPerson[at] = person
      this.attendance[at] = (this.attendance[at] ?? 0) + 1
      this.visits.push(at, person)
    }
  }

  /** Marks the hours from one minute to the one before another. */
  stay(space: number, person: number, from: number, to: number): void {
    const last = Math.min(minutesPerDay, Math.max(to, from + 1)) - 1
    for (let hour = Math.floor(Math.max(0, from) / 60); hour <= Math.floor(last / 60); hour++)
      for (let at = space; at >= 0; at = this.#parents[at] ?? -1) {
        const cell = at * hoursPerDay + hour
        if (this.#lastPersonOfHour[cell] === person) continue
        this.#lastPersonOfHour[cell] = person
        this.hourlyAttendance[cell] = (this.hourlyAttendance[cell] ?? 0) + 1
      }
  }
}

/** Marks every space with one of the given spaces in it. */
export function coverAbove(parents: Int32Array, spaces: Iterable<number>): Uint8Array {
  const isCovered = new Uint8Array(parents.length)
  for (const space of spaces) for (let at = space; at >= 0; at = parents[at] ?? -1) isCovered[at] = 1
  return isCovered
}
