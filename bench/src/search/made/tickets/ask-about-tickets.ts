import type { Question } from '../../collection.ts'
import { createRandom } from '../../synthetic-corpus.ts'
import { pick, type Random, shuffle } from '../choice.ts'
import { judge } from '../judge.ts'
import { fill, misspell } from '../wording.ts'
import { type Fault, spellCode, spellTicketNumber, type Ticket } from './generate-tickets.ts'

const questionsOfStyle = 60

type Ask = (random: Random, ticket: Ticket) => string

const frames: readonly string[] = [
  'What can I do if {symptom}?',
  'has anyone had this before: {symptom}',
  'How was it solved when there was {cause} and {symptom}?',
  'I think that there is a problem like {symptom} and it may be {cause}',
]

/** The questions by style, in words that are drawn without regard to those in the tickets. */
const styles: Readonly<Record<string, { ask: Ask; grade: (asked: Ticket, other: Ticket) => number }>> = {
  question: {
    ask: (random, ticket) =>
      fill(pick(random, frames), { symptom: askSymptom(random, ticket), cause: nameCause(ticket) }),
    grade: gradeFault,
  },
  keywords: {
    ask: (random, ticket) => `${askSymptom(random, ticket)} ${nameCause(ticket)}`.toLowerCase(),
    grade: gradeFault,
  },
  misspelled: {
    ask: (random, ticket) => misspell(random, `${askSymptom(random, ticket)} ${nameCause(ticket)}`),
    grade: gradeFault,
  },
  'error code': {
    ask: (random, { fault }) => `${pick(random, fault.component)} error ${pick(random, spellCode(fault.code))}`,
    grade: gradeCode,
  },
  'ticket number': {
    ask: (random, { number }) =>
      `${pick(random, ['what happened in ', 'status of ', 'ticket ', ''])}${pick(random, spellTicketNumber(number))}`,
    grade: (asked, { id }) => (id === asked.id ? 1 : 0),
  },
  'host and version': {
    ask: (random, { fault, host, version }) => `${pick(random, fault.component)} on ${host} version ${version}`,
    grade: gradeHost,
  },
}

/** Asks about faults. Tickets of the fault are relevant, of the same symptom with another cause less so. */
export function askAboutTickets(seed: number, tickets: readonly Ticket[]): Question[] {
  const random = createRandom(seed + 1_000)
  const drawn = shuffle(random, tickets)
  return Object.entries(styles).flatMap(([style, { ask, grade }], nth) =>
    drawn.slice(nth * questionsOfStyle, (nth + 1) * questionsOfStyle).map((ticket) => ({
      id: `q-${style}-${ticket.id}`,
      style,
      text: ask(random, ticket),
      relevant: judge(tickets, (other) => grade(ticket, other)),
    })),
  )
}

const askSymptom = (random: Random, { fault }: Ticket): string =>
  fill(pick(random, fault.symptom.asked), { component: pick(random, fault.component) })

const nameCause = ({ fault, version }: Ticket): string => fill(fault.cause.found, { version })

const isSameSymptom = (a: Fault, b: Fault): boolean => a.component === b.component && a.symptom === b.symptom

function gradeFault(asked: Ticket, { fault }: Ticket): number {
  if (!isSameSymptom(asked.fault, fault)) return 0
  return asked.fault.cause === fault.cause ? 2 : 1
}

/** The code is written in some of the tickets of a fault only; the others are relevant all the same. */
function gradeCode(asked: Ticket, { fault }: Ticket): number {
  if (asked.fault === fault) return 2
  return asked.fault.component === fault.component && asked.fault.code.number === fault.code.number ? 1 : 0
}

function gradeHost(asked: Ticket, { id, host, fault }: Ticket): number {
  if (id === asked.id) return 3
  if (host !== asked.host) return 0
  return fault.component === asked.fault.component ? 2 : 1
}
