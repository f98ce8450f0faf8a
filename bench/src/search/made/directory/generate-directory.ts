import { createRandom } from '../../synthetic-corpus.ts'
import { chance, integer, pick, type Random, sample, shuffle } from '../choice.ts'
import { type Concept, capitalize, createAuthor, fill } from '../wording.ts'
import * as vocabulary from './vocabulary.ts'

export type Duty = (typeof vocabulary.duties)[number]
export type Equipment = (typeof vocabulary.equipment)[number]

interface Entry {
  id: string
  title: string
  text: string
  place: Place
}

/** Such as A4.12: building, floor, number. */
export interface Place {
  building: string
  floor: number
  number: number
  city: string
}

export interface Person extends Entry {
  name: string
  duty: Duty
  isHead: boolean
  team: string
}

export interface Room extends Entry {
  name: string
  kind: Concept
  seats: number
  equipment: readonly Equipment[]
}

const [personCount, roomCount] = [3_000, 1_200]

/** Generates the directory of a company: its people with their duties, and its rooms with their equipment. */
export function generateDirectory(seed: number): { people: Person[]; rooms: Room[] } {
  const random = createRandom(seed)
  return {
    people: Array.from({ length: personCount }, (_, nth) => writePerson(random, `p${nth}`)),
    rooms: Array.from({ length: roomCount }, (_, nth) => writeRoom(random, `r${nth}`)),
  }
}

const drawPlace = (random: Random): Place => ({
  building: pick(random, [...'ABCDEFGH']),
  floor: integer(random, 0, 9),
  number: integer(random, 1, 40),
  city: pick(random, vocabulary.cities),
})

/** The spellings of a place; the directory itself uses the first. */
export function spellPlace({ building, floor, number }: Place): Concept {
  const padded = String(number).padStart(2, '0')
  return [
    `${building}${floor}.${padded}`,
    `${building}${floor}-${padded}`,
    `${building}${floor} ${padded}`,
    `${building} ${floor} ${padded}`,
    `${building}${floor}/${padded}`.toLowerCase(),
  ]
}

const drawName = (random: Random): string =>
  `${pick(random, vocabulary.firstNames)} ${pick(random, vocabulary.lastNames)}`

function writePerson(random: Random, id: string): Person {
  const [name, place, author] = [drawName(random), drawPlace(random), createAuthor(random)]
  const [duty, team] = [pick(random, vocabulary.duties), pick(random, vocabulary.teams)]
  const role = chance(random, 0.1) ? 'Head' : pick(random, vocabulary.titles.slice(1))
  const values = () => ({
    other: pick(random, pick(random, vocabulary.duties).written),
    deputy: drawName(random),
    language: pick(random, vocabulary.languages),
    year: String(integer(random, 2001, 2025)),
  })
  const write = (templates: readonly string[], count: number) =>
    sample(random, templates, count).map((template) => fill(template, values()))
  const text = shuffle(random, [
    `${role}, ${author(duty.written)}, team ${team}.`,
    ...(chance(random, 0.5) ? [`Tasks: ${author(duty.written)} and related questions.`] : []),
    `Office ${pick(random, spellPlace(place).slice(0, chance(random, 0.8) ? 1 : 2))} in ${place.city}, extension ${integer(random, 1_000, 9_999)}.`,
    ...write(vocabulary.mentions, integer(random, 0, 2)),
    ...write(vocabulary.hobbies, integer(random, 1, 3)),
  ])
  return { id, title: name, text: text.join(' '), name, place, duty, team, isHead: role === 'Head' }
}

function writeRoom(random: Random, id: string): Room {
  const [place, author] = [drawPlace(random), createAuthor(random)]
  const [name, kind] = [pick(random, vocabulary.roomNames), pick(random, vocabulary.roomKinds)]
  const seats = pick(random, [2, 4, 6, 8, 10, 12, 14, 16, 20, 24, 30, 40])
  const equipment = sample(random, vocabulary.equipment, integer(random, 1, 3))
  const [missing] = vocabulary.equipment.filter((item) => !equipment.includes(item))
  const code = pick(random, spellPlace(place).slice(0, 2))
  const text = shuffle(random, [
    `${capitalize(author(kind))} for ${seats} people.`,
    `Equipped with ${equipment.map(({ written }) => author(written)).join(', ')}.`,
    `Building ${place.building}, floor ${place.floor}, ${place.city}.`,
    ...(missing !== undefined && chance(random, 0.3) ? [`There is no ${author(missing.written)}.`] : []),
    ...(chance(random, 0.5) ? [`Booked through ${drawName(random)}.`] : []),
  ])
  const title = pick(random, [`${name} (${code})`, `${code} ${name}`, `${capitalize(author(kind))} ${code}`])
  const body = title.includes(name) ? text : [`Also known as ${name}.`, ...text]
  return { id, title, text: body.join(' '), place, name, kind, seats, equipment }
}
