import type { MappedFacts } from './measures.ts'

/** Bookings of one space that begin on a day. */
export interface BookingFigures {
  /** Not cancelled. */
  booked: number
  used: number
  released: number
  noShows: number
  /** Of which it is not known if they were used. */
  unknown: number
  minutesLost: number
}

const none = (): BookingFigures => ({ booked: 0, used: 0, released: 0, noShows: 0, unknown: 0, minutesLost: 0 })

/**
 * Leaves out the bookings that another dataset has too, as files that overlap do: those of the same person, and, where
 * one of the two names no person, those of the same room, which has one booking at a time.
 */
export function withoutRepeatedBookings<Facts extends MappedFacts>(
  facts: readonly Facts[],
  isRoom: (space: number) => boolean,
): Facts[] {
  const known = new Set<string>()
  return facts.map((mapped) => {
    const { table, spaceOf } = mapped
    const [people, spaces, , starts, ends] = table.columns
    const rows = Array.from(table.counts, (_, at) => {
      const [person, space] = [people?.[at] ?? -1, spaceOf.get(spaces?.[at] ?? -1) ?? -1]
      const slot = `${space} ${starts?.[at]} ${ends?.[at]}`
      const ofPerson = person < 0 ? [] : [`${person} ${slot}`]
      if (!isRoom(space)) return { isSame: ofPerson, names: ofPerson }
      return person < 0
        ? { isSame: [`any ${slot}`], names: [`any ${slot}`, `none ${slot}`] }
        : { isSame: [...ofPerson, `none ${slot}`], names: [...ofPerson, `any ${slot}`] }
    })
    const counts = table.counts.map((count, at) => (rows[at]?.isSame.some((name) => known.has(name)) ? 0 : count))
    for (const { names } of rows) for (const name of names) known.add(name)
    return { ...mapped, table: { ...table, counts } }
  })
}

/**
 * Returns true if hardly any of the people who booked were seen by a measure in the week: the files then name people in
 * two ways, such as by mail address and by number, and an absence tells of no one.
 */
export function namesOthers(bookings: readonly MappedFacts[], measured: readonly MappedFacts[]): boolean {
  const peopleOf = (facts: readonly MappedFacts[]) =>
    new Set(facts.flatMap(({ table }) => [...(table.columns[0] ?? [])]).filter((person) => person >= 0))
  const [bookers, seen] = [peopleOf(bookings), peopleOf(measured)]
  const known = [...bookers].filter((person) => seen.has(person)).length
  return bookers.size >= leastBookers && known < leastSeenShare * bookers.size
}
const [leastBookers, leastSeenShare] = [5, 0.1]

/** Returns bookings as if their file named no one. */
export function withoutPeople<Facts extends MappedFacts>(mapped: Facts): Facts {
  const { columns, counts } = mapped.table
  return { ...mapped, table: { columns: [counts.map(() => -1), ...columns.slice(1)], counts } }
}

/**
 * Counts the bookings of a day in each space and in all around it. A booking of which the file does not state if it was
 * used counts as used if its person was in the space, or in the one directly around it, on that day by another measure.
 *
 * @param wasIn true if a person was in a space on the day; undefined if no other measure tells people apart there
 */
export function countBookings(
  facts: readonly MappedFacts[],
  parents: Int32Array,
  wasIn: (space: number, person: number) => boolean | undefined,
): Map<number, BookingFigures> {
  const figures = new Map<number, BookingFigures>()
  for (const { table, spaceOf } of facts) {
    const [people, spaces, , starts, ends, , used, cancelled] = table.columns
    for (const [at, count] of table.counts.entries()) {
      const space = spaceOf.get(spaces?.[at] ?? -1) ?? -1
      if (space < 0 || count === 0) continue
      const person = people?.[at] ?? -1
      const isUsed = (used?.[at] ?? -1) >= 0 ? used?.[at] === 1 : person < 0 ? undefined : wasInOrAround(space, person)
      const minutes = Math.max(0, (ends?.[at] ?? 0) - (starts?.[at] ?? 0))
      for (let place = space; place >= 0; place = parents[place] ?? -1) {
        const own = figures.get(place) ?? none()
        figures.set(place, own)
        if (cancelled?.[at] === 1) own.released += count
        else {
          own.booked += count
          if (isUsed === true) own.used += count
          else if (isUsed === undefined) own.unknown += count
          else {
            own.noShows += count
            own.minutesLost += minutes * count
          }
        }
      }
    }
  }
  return figures

  function wasInOrAround(space: number, person: number): boolean | undefined {
    const parent = parents[space] ?? -1
    const here = wasIn(space, person)
    return here === true || parent < 0 ? here : (wasIn(parent, person) ?? here)
  }
}
