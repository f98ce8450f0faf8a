import type { Question } from '../../collection.ts'
import { createRandom } from '../../synthetic-corpus.ts'
import { chance, pick, type Random, shuffle } from '../choice.ts'
import { judge } from '../judge.ts'
import { fill, misspell, withoutAccents } from '../wording.ts'
import {
  type Duty,
  type generateDirectory,
  type Person,
  type Place,
  type Room,
  spellPlace,
} from './generate-directory.ts'

const questionsOfStyle = 60

const dutyFrames: readonly string[] = [
  'who is in charge of {duty} in {city}',
  'Who can I ask about {duty} in {city}?',
  'whom do I have to call because of {duty} at the {city} office',
  'is there someone in {city} who is responsible for {duty}',
]

const roomFrames: readonly string[] = [
  'room for {seats} people with {equipment} in {city}',
  'where is there a {kind} with {equipment} in {city} for {seats}',
  '{kind} {seats} persons {equipment} building {building}',
]

type Directory = ReturnType<typeof generateDirectory>

/** Asks for people and rooms, by duty, equipment, name or place. */
export function askAboutDirectory(seed: number, { people, rooms }: Directory): Question[] {
  const random = createRandom(seed + 1_000)
  const [drawnPeople, drawnRooms] = [shuffle(random, people), shuffle(random, rooms)]
  const ask = <Entry extends { id: string }>(
    style: string,
    drawn: Entry[],
    write: (entry: Entry) => string,
    grade: (asked: Entry) => Map<string, number>,
  ): Question[] =>
    drawn.splice(0, questionsOfStyle).map((entry) => ({
      id: `q-${style}-${entry.id}`,
      style,
      text: write(entry),
      relevant: grade(entry),
    }))
  const byName = (asked: Person) => judge(people, (person) => gradeName(asked, person))
  const byPlace = ({ place }: { place: Place }) =>
    judge([...people, ...rooms], (entry) => gradePlace(place, entry.place))
  return [
    ...ask(
      'duty',
      drawnPeople,
      (person) => askForDuty(random, person),
      (asked) => judge(people, (person) => gradeDuty(asked, person)),
    ),
    ...ask('name', drawnPeople, ({ name }) => withoutAccents(name).toLowerCase(), byName),
    ...ask('misspelled name', drawnPeople, ({ name }) => misspell(random, name), byName),
    ...ask('unfinished name', drawnPeople, ({ name }) => unfinished(name), byName),
    ...ask(
      'name and duty',
      drawnPeople,
      (person) => askByNameAndDuty(random, person),
      (asked) => judge(people, (person) => gradeNameAndDuty(asked, person)),
    ),
    ...ask('place', drawnRooms, ({ place }) => askForPlace(random, place), byPlace),
    ...ask(
      'equipment',
      drawnRooms,
      (room) => askForRoom(random, room),
      (asked) => judge(rooms, (room) => gradeRoom(asked, room)),
    ),
  ]
}

const askForDuty = (random: Random, { duty, place }: Person): string =>
  fill(pick(random, dutyFrames), { duty: nameDuty(random, duty), city: spellCity(random, place) })

const nameDuty = (random: Random, { written, asked }: Duty): string => pick(random, [...written, ...asked])

const spellCity = (random: Random, { city }: Place): string => (chance(random, 0.5) ? city : withoutAccents(city))

/** The name without its last letters, as while it is typed. */
const unfinished = (name: string): string => withoutAccents(name).slice(0, -2 - Math.floor(name.length / 8))

const askByNameAndDuty = (random: Random, { name, duty }: Person): string =>
  `${lastNameOf(name)} ${nameDuty(random, duty)}`

const askForPlace = (random: Random, place: Place): string =>
  `${pick(random, ['', 'where is ', 'room ', 'who sits in '])}${pick(random, spellPlace(place))}`

const askForRoom = (random: Random, { kind, seats, equipment, place }: Room): string =>
  fill(pick(random, roomFrames), {
    kind: pick(random, kind),
    seats: String(seats),
    equipment: equipment.map((item) => pick(random, [...item.written, ...item.asked])).join(' and '),
    city: spellCity(random, place),
    building: place.building,
  })

/** People with the duty at the place, the head first. */
function gradeDuty({ duty, place }: Person, person: Person): number {
  if (person.duty !== duty) return 0
  if (person.place.city !== place.city) return 0
  return person.isHead ? 2 : 1
}

/** People of the last name with the duty. */
const gradeNameAndDuty = (asked: Person, { name, duty }: Person): number =>
  duty === asked.duty && lastNameOf(name) === lastNameOf(asked.name) ? 1 : 0

const lastNameOf = (name: string): string => withoutAccents(name.split(' ').at(-1) ?? '')

/** The person, then people whose names differ by accents only. */
function gradeName({ id, name }: Person, person: Person): number {
  if (person.id === id) return 3
  return withoutAccents(person.name) === withoutAccents(name) ? 2 : 0
}

const gradePlace = (asked: Place, { building, floor, number }: Place): number =>
  building === asked.building && floor === asked.floor && number === asked.number ? 1 : 0

/** Rooms in the city with all of the equipment and enough seats; exactly as many seats are better. */
function gradeRoom({ seats, equipment, place, kind }: Room, room: Room): number {
  if (room.place.city !== place.city || !equipment.every((item) => room.equipment.includes(item))) return 0
  if (room.seats === seats) return room.kind === kind ? 3 : 2
  return room.seats > seats && room.kind === kind ? 1 : 0
}
