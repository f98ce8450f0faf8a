import { coverAbove, LevelCounter, type MeasureFigures, minutesPerDay, PeopleCounter } from './figures.ts'
import type { MappedFacts, Places } from './measures.ts'
import { inOrder, leaves, type NightStays, type Swipe, swipesByPerson } from './swipes.ts'

/** Figures of the measures that tell people apart. */
export interface PeopleFigures extends MeasureFigures {
  people: PeopleCounter
  /** 1 if the space or one in it has a badge reader; otherwise its people come from lists. */
  hasReaders: Uint8Array
  /** The outermost spaces of those of which a list was used, which has no hours. */
  listedSites: ReadonlySet<number>
}

/**
 * Counts badge events and lists of attendance of one day. A list is used where no badge reader is. A person is where
 * the last swipe was, until one that leaves, or one elsewhere; without one that leaves, until the space closes, or
 * until the last swipe if that is later. A swipe of either direction counts as attendance.
 *
 * @param nights who stayed over the midnight at which the day begins, and over that at which it ends
 */
export function measurePeople(
  badges: readonly MappedFacts[],
  lists: readonly MappedFacts[],
  { parents, closes }: Places,
  nights: { before: NightStays; after: NightStays } = { before: new Map(), after: new Map() },
): PeopleFigures {
  const people = new PeopleCounter(parents)
  const levels = new LevelCounter(parents)
  const hasReaders = coverAbove(parents, readersOf(badges))
  const listedSites = new Set<number>()
  for (const { person, swipes } of swipesByPerson(badges, lists)) {
    const [came, stays] = [nights.before.get(person), nights.after.get(person)]
    if (came !== undefined) swipes.unshift({ space: came, second: 0, direction: 1 })
    if (stays !== undefined) swipes.push({ space: stays, second: minutesPerDay * 60, direction: 2 })
    const timed = swipes.filter(({ second }) => second >= 0)
    for (const { space, second } of swipes) {
      if (second < 0 && hasReaders[space] === 1) continue
      if (second < 0) listedSites.add(outermost(parents, space))
      else people.stay(space, person, minuteOf(second), minuteOf(second))
      people.visit(space, person)
    }
    for (const { space, from, to } of staysOf(timed, closes)) {
      levels.add(space, from, to, 1)
      people.stay(space, person, from, to)
    }
  }
  const isCovered = coverAbove(parents, readersOf([...badges, ...lists]))
  return { isCovered, ...levels.finish(), people, hasReaders, listedSites }
}

/** Returns the space around a space that lies in no other. */
export function outermost(parents: Int32Array, space: number): number {
  const parent = parents[space] ?? -1
  return parent < 0 ? space : outermost(parents, parent)
}

/** Returns the spaces of the values that have one. */
export function* readersOf(facts: readonly MappedFacts[]): Generator<number> {
  for (const { spaceOf } of facts) for (const space of spaceOf.values()) if (space >= 0) yield space
}

const minuteOf = (second: number): number => Math.floor(second / 60)

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
