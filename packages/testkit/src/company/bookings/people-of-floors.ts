import type { CompanyDay } from '../days/generate-days.ts'
import type { Company } from '../model/company.ts'

/** People from which one after the other is taken. */
interface Row {
  people: number[]
  next: number
  readonly length: number
}

export interface PeopleOfFloor {
  /** People whose first stay of the day is on the floor. */
  present: Row
  /** People whose team belongs on the floor, and who are not in at all. */
  absent: Row
  /** All people whose team belongs on the floor. */
  members: number
}

const createRow = (): Row => ({
  people: [],
  next: 0,
  get length() {
    return this.people.length
  },
})

/** Returns the next person of a row, and after the last one the first; undefined if there is none. */
export function takeFrom(row: Row): number | undefined {
  const person = row.people[row.next]
  row.next = row.next + 1 < row.people.length ? row.next + 1 : 0
  return person
}

/** Returns the people of each floor on a day, beginning with another one each day. */
export function groupPeople(company: Company, { day, stays, teams }: CompanyDay): Map<number, PeopleOfFloor> {
  const { spaces, people } = company
  const floors = new Map<number, PeopleOfFloor>()
  for (const [space, { kind }] of spaces.entries())
    if (kind === 'floor') floors.set(space, { present: createRow(), absent: createRow(), members: 0 })
  const floorOf = (space: number) => floors.get(spaces[space]?.kind === 'zone' ? (spaces[space]?.parent ?? -1) : space)

  let stay = 0
  for (let person = 0; person < people; person += 1) {
    const isPresent = stay < stays.length && stays.person[stay] === person
    const space = stays.space[stay] ?? -1
    while (stay < stays.length && stays.person[stay] === person) stay += 1
    const home = company.teams[teams[person] ?? -1]?.home
    const own = home === undefined ? undefined : floorOf(home)
    if (own !== undefined) own.members += 1
    if (isPresent) floorOf(space)?.present.people.push(person)
    else own?.absent.people.push(person)
  }
  for (const { present, absent } of floors.values())
    for (const row of [present, absent]) row.next = row.people.length === 0 ? 0 : (day * 37) % row.people.length
  return floors
}
