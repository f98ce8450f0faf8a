import type { Space } from '../model/company.ts'

/** The person swipes on leaving. Without it the exit was forgotten. */
export const exitSwiped = 1
/** The reader exports the swipe of the entry, of the exit, twice. */
export const entryTwice = 2
export const exitTwice = 4
/** The reader was broken: none of the swipes was recorded. */
export const lost = 8

/** Stays in typed arrays, which grow and are used again: one person in one space, from a second to another. */
export interface Stays {
  length: number
  person: Uint32Array
  space: Uint32Array
  reader: Uint32Array
  /** Seconds of the local day. A stay of a person begins after the end of the one before it. */
  from: Uint32Array
  /** The second in which the person leaves, with or without a swipe. */
  to: Uint32Array
  /** The sum of `exitSwiped`, `entryTwice`, `exitTwice` and `lost`, as they apply. */
  flags: Uint8Array
}

const allocate = (size: number) => ({
  person: new Uint32Array(size),
  space: new Uint32Array(size),
  reader: new Uint32Array(size),
  from: new Uint32Array(size),
  to: new Uint32Array(size),
  flags: new Uint8Array(size),
})

export const createStays = (size = 1_024): Stays => ({ length: 0, ...allocate(size) })

/** Makes sure that one more stay has a place. */
export function reserveStay(stays: Stays): void {
  if (stays.length < stays.person.length) return
  const larger = allocate(stays.person.length * 2)
  for (const name of ['person', 'space', 'reader', 'from', 'to', 'flags'] as const) larger[name].set(stays[name])
  Object.assign(stays, larger)
}

/** Adds a stay. Those of one person follow each other, in the order of time. */
export function addStay(
  stays: Stays,
  person: number,
  place: { space: number; reader: number },
  [from, to]: readonly [from: number, to: number],
  flags: number,
): void {
  reserveStay(stays)
  const index = stays.length
  stays.person[index] = person
  stays.space[index] = place.space
  stays.reader[index] = place.reader
  stays.from[index] = from
  stays.to[index] = to
  stays.flags[index] = flags
  stays.length = index + 1
}

/** Returns the opening hours of each space, those of its site, in minutes of the day. */
export function openingHoursOf(spaces: readonly Space[]): { opens: Uint16Array; closes: Uint16Array } {
  const opens = new Uint16Array(spaces.length)
  const closes = new Uint16Array(spaces.length)
  for (const [index, { parent, site }] of spaces.entries()) {
    opens[index] = site?.opens ?? opens[parent] ?? 0
    closes[index] = site?.closes ?? closes[parent] ?? 0
  }
  return { opens, closes }
}
