import type { FactTable } from './facts.ts'
import { coverAbove, LevelCounter, type MeasureFigures, PeopleCounter } from './figures.ts'
import type { MappedFacts, Places } from './measures.ts'

interface Swipe {
  space: number
  /** Since midnight; -1 for an entry of a list, which has no time. */
  second: number
  direction: number
}

/** Figures of the measures that tell people apart. */
export interface PeopleFigures extends MeasureFigures {
  people: PeopleCounter
  /** 1 if the space or one in it has a badge reader; otherwise its people come from lists. */
  hasReaders: Uint8Array
  /** True if a list was used, which has no hours. */
  usesLists: boolean
}

/**
 * Counts badge events and lists of attendance of one day. A list is used where no badge reader is. A person is where
 * the last swipe was, until one that leaves, or one elsewhere; without one that leaves, until the space closes, or
 * until the last swipe if that is later. A swipe of either direction counts as attendance.
 */
export function measurePeople(
  badges: readonly MappedFacts[],
  lists: readonly MappedFacts[],
  { parents, closes }: Places,
): PeopleFigures {
  const people = new PeopleCounter(parents)
  const levels = new LevelCounter(parents)
  const hasReaders = coverAbove(parents, readersOf(badges))
  let usesLists = false
  for (const { person, swipes } of swipesByPerson(badges, lists)) {
    const timed = swipes.filter(({ second }) => second >= 0)
    for (const { space, second } of swipes) {
      if (second < 0 && hasReaders[space] === 1) continue
      if (second < 0) usesLists = true
      else people.stay(space, person, minuteOf(second), minuteOf(second))
      people.visit(space, person)
    }
    for (const { space, from, to } of staysOf(timed, closes)) {
      levels.add(space, from, to, 1)
      people.stay(space, person, from, to)
    }
  }
  const { attendance, hourlyAttendance } = people
  const isCovered = coverAbove(parents, readersOf([...badges, ...lists]))
  return { isCovered, attendance, hourlyAttendance, ...levels.finish(), people, hasReaders, usesLists }
}

/** Returns the spaces of the values that have one. */
export function* readersOf(facts: readonly MappedFacts[]): Generator<number> {
  for (const { spaceOf } of facts) for (const space of spaceOf.values()) if (space >= 0) yield space
}

/** Groups the rows of all datasets by person, in the order of their times. */
function* swipesByPerson(
  badges: readonly MappedFacts[],
  lists: readonly MappedFacts[],
): Generator<{ person: number; swipes: Swipe[] }> {
  const cursors = [
    ...badges.map(({ table, spaceOf }) => ({ table, spaceOf, at: 0, hasTimes: true })),
    ...lists.map(({ table, spaceOf }) => ({ table, spaceOf, at: 0, hasTimes: false })),
  ]
  while (true) {
    let person = Number.POSITIVE_INFINITY
    for (const { table, at } of cursors) person = Math.min(person, personAt(table, at))
    if (person === Number.POSITIVE_INFINITY) return
    const swipes: Swipe[] = []
    for (const cursor of cursors) {
      const [, spaces, , seconds, directions] = cursor.table.columns
      for (; personAt(cursor.table, cursor.at) === person; cursor.at++) {
        const { at, hasTimes } = cursor
        const space = cursor.spaceOf.get(spaces?.[at] ?? -1) ?? -1
        const second = hasTimes ? (seconds?.[at] ?? 0) : -1
        if (space >= 0) swipes.push({ space, second, direction: hasTimes ? (directions?.[at] ?? 0) : 0 })
      }
    }
    if (swipes.length > 0) yield { person, swipes: swipes.sort(byTime) }
  }
}

const personAt = ({ columns: [people], counts }: FactTable, at: number): number =>
  at < counts.length ? (people?.[at] ?? -1) : Number.POSITIVE_INFINITY

const byTime = (a: Swipe, b: Swipe): number => a.second - b.second || a.space - b.space || a.direction - b.direction

const minuteOf = (second: number): number => Math.floor(second / 60)

const leaves = ({ direction }: Swipe): boolean => direction === 2

/** Returns the stays of a person in minutes. */
function* staysOf(
  swipes: readonly Swipe[],
  closes: Int32Array,
): Generator<{ space: number; from: number; to: number }> {
  let [space, from, last] = [-1, 0, 0]
  for (const swipe of inOrder(swipes)) {
    const minute = minuteOf(swipe.second)
    if (space >= 0) yield { space, from, to: minute }
    last = minute
    ;[space, from] = leaves(swipe) ? [-1, 0] : [swipe.space, minute]
  }
  if (space >= 0) yield { space, from, to: Math.max(last, closes[space] ?? last) }
}

/**
 * Orders swipes of the same time, which many systems write to the minute: who is in leaves before entering elsewhere,
 * and who is out enters before leaving.
 */
function* inOrder(swipes: readonly Swipe[]): Generator<Swipe> {
  let isIn = false
  for (let at = 0; at < swipes.length; ) {
    const time = swipes[at]?.second
    const waiting: Swipe[] = []
    for (; swipes[at]?.second === time && at < swipes.length; at++) waiting.push(...swipes.slice(at, at + 1))
    while (waiting.length > 0) {
      const next = Math.max(
        0,
        waiting.findIndex((swipe) => leaves(swipe) === isIn),
      )
      const [swipe] = waiting.splice(next, 1)
      if (swipe === undefined) break
      isIn = !leaves(swipe)
      yield swipe
    }
  }
}
