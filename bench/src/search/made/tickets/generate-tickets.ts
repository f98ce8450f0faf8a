import { createRandom } from '../../synthetic-corpus.ts'
import { chance, integer, pick, type Random, sample, shuffle } from '../choice.ts'
import { type Concept, capitalize, createAuthor, fill } from '../wording.ts'
import * as vocabulary from './vocabulary.ts'

/** A broken component, with its symptom and cause. */
export interface Fault {
  component: Concept
  symptom: vocabulary.Symptom
  cause: (typeof vocabulary.causes)[number]
  code: { letters: string; number: number }
}

export interface Ticket {
  id: string
  title: string
  text: string
  /** The number by which people refer to a ticket. */
  number: number
  fault: Fault
  version: string
  host: string
}

const [faultCount, maxTickets] = [1_800, 4]

/** Generates support tickets: one to four of each fault, by different reporters. */
export function generateTickets(seed: number): Ticket[] {
  const random = createRandom(seed)
  const faults = Array.from({ length: faultCount }, () => drawFault(random))
  const reported = faults.flatMap((fault) => Array.from({ length: integer(random, 1, maxTickets) }, () => fault))
  return shuffle(random, reported).map((fault, nth) => writeTicket(random, nth, fault, pick(random, faults)))
}

const drawFault = (random: Random): Fault => ({
  component: pick(random, vocabulary.components),
  symptom: pick(random, vocabulary.symptoms),
  cause: pick(random, vocabulary.causes),
  code: { letters: pick(random, ['E', 'ERR', 'X', 'HTTP', 'S']), number: integer(random, 100, 1_999) },
})

/** The spellings of an error code or a number. */
export const spellCode = ({ letters, number }: Fault['code']): Concept => [
  `${letters}-${number}`,
  `${letters}${number}`,
  `${letters} ${number}`,
  `${letters}_${number}`,
]

export const spellTicketNumber = (number: number): Concept => [
  `INC-${number}`,
  `INC${number}`,
  `inc ${number}`,
  `#${number}`,
]

const firstNumber = 20_311

/** @param unrelated another fault, whose component is mentioned */
function writeTicket(random: Random, nth: number, fault: Fault, unrelated: Fault): Ticket {
  const [number, author] = [firstNumber + nth, createAuthor(random)]
  const version = `${integer(random, 1, 9)}.${integer(random, 0, 12)}.${integer(random, 0, 9)}`
  const host = `${pick(random, ['srv', 'pc', 'nb', 'prn'])}-${pick(random, ['ber', 'par', 'lon'])}-${integer(random, 10, 99)}`
  const otherCauses = vocabulary.causes.filter((cause) => cause !== fault.cause)
  const words = (): Record<string, string> => ({
    component: author(fault.component),
    other: author(unrelated.component),
    otherCause: fill(pick(random, otherCauses).found, { version }),
    version,
    host,
    code: author(spellCode(fault.code)),
    floor: pick(random, ['first', 'second', 'third', 'fourth']),
    reference: pick(random, spellTicketNumber(firstNumber + integer(random, 0, 4_000))),
  })
  const write = (templates: readonly string[], count: number) =>
    sample(random, templates, count).map((template) => capitalize(fill(template, words())))
  // A third of the titles say nothing.
  const title = chance(random, 0.33)
    ? fill(pick(random, vocabulary.vagueTitles), words())
    : capitalize(fill(pick(random, pick(random, [fault.symptom.named, fault.symptom.reported])), words()))
  const text = [
    ...write(vocabulary.greetings, 1),
    ...write(fault.symptom.reported, integer(random, 1, 2)),
    ...write(vocabulary.circumstances, integer(random, 1, 4)),
    `Ticket ${pick(random, spellTicketNumber(number).slice(0, 2))}, ${host}, version ${version}.`,
    ...write(vocabulary.answers, integer(random, 1, 3)),
    `${capitalize(fill(pick(random, fault.symptom.named), words()))}: the cause was ${fill(fault.cause.found, words())}.`,
    `We ${fill(fault.cause.remedied, words())}.`,
  ]
  return { id: `t${nth}`, title, text: text.join(' '), number, fault, version, host }
}
