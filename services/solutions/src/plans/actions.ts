import type { PlanContent } from '@wp/contracts'
import type { PlanInput } from './input/plan-input.ts'
import { freedPeople, isTooFull, type PlannedFloor, type Span, sumOf, windowOf } from './plan-floor.ts'
import { count, hoursText, listFloors, people, weekdayName, whole } from './words.ts'

type Action = PlanContent['actions'][number]

/** Returns what a facilities manager does about the day, in the order of urgency. */
export function actionsOf(
  input: PlanInput,
  { meals, cleaning, rest_day: restDay }: PlanContent,
  floors: readonly PlannedFloor[],
): Action[] {
  if (restDay !== null)
    return [
      { kind: 'close', text: `Order no meals, and do not heat, ventilate or clean: ${input.site.name} is closed.` },
      ...usedWhileClosed(input),
    ]
  return [
    ...closing(input, floors),
    ...watching(floors),
    ...(meals === null || meals.expected === 0 ? [] : [{ kind: 'cater' as const, text: mealsText(meals) }]),
    ...running('heat', floors, ({ heating }) => heating),
    ...running('ventilate', floors, ({ ventilation }) => ventilation),
    ...cleaningAction(cleaning, floors),
    ...usedWhileClosed(input),
  ]
}

function closing({ scenario, date }: PlanInput, floors: readonly PlannedFloor[]): Action[] {
  const of = (kind: PlannedFloor['closure']) => floors.filter(({ closure }) => closure === kind)
  const [freed, empty, shut] = [of('scenario'), of('empty'), of('not_open')]
  const actions: Action[] = []
  const day = `${weekdayName(date)}s`
  if (freed.length > 0)
    actions.push({
      kind: 'close',
      text: `Keep ${namesOf(freed)} closed: the scenario “${scenario?.name}” frees ${itOrThem(freed)} on ${day}.${seating(floors)}`,
    })
  if (empty.length > 0)
    actions.push({ kind: 'close', text: `Keep ${namesOf(empty)} closed: no one is expected there.` })
  if (shut.length > 0)
    actions.push({ kind: 'close', text: `Do not heat, ventilate or clean ${namesOf(shut)}: not open on ${day}.` })
  return actions
}

/** Tells if those who usually come to the closed floors find places on the others; empty if that is not known. */
function seating(floors: readonly PlannedFloor[]): string {
  const seats = seatsOf(floors)
  if (seats === null) return ''
  const { moved, free, busiest } = seats
  const usual = `About ${people(moved)} usually ${moved === 1 ? 'comes' : 'come'} there on such a day`
  const open = `the open floors, with up to ${people(busiest)} of their own, have`
  return free >= moved
    ? ` ${usual}; ${open} ${count(free, 'free place')}.`
    : ` ${usual}, and ${open} only ${count(free, 'free place')}: open one floor again.`
}

/**
 * Returns the people of freed floors, and the places that the others leave free when most are there; null if unknown.
 */
export function seatsOf(floors: readonly PlannedFloor[]): { moved: number; free: number; busiest: number } | null {
  const moved = Math.round(sumOf(floors, freedPeople))
  const open = floors.filter(({ closure }) => closure === null)
  if (moved === 0 || open.some(({ floor, busiest }) => floor.capacity === null || busiest === null)) return null
  const free = sumOf(open, ({ floor, busiest }) => Math.max(0, Math.floor((floor.capacity ?? 0) - (busiest ?? 0))))
  return { moved, free, busiest: sumOf(open, ({ busiest }) => busiest ?? 0) }
}

function watching(floors: readonly PlannedFloor[]): Action[] {
  return floors.flatMap(({ floor: { name, capacity, peak }, closure, busiest }): Action[] =>
    closure !== null || capacity === null || busiest === null || !isTooFull(busiest, capacity)
      ? []
      : [
          {
            kind: 'watch',
            text: `${name} may be too full${peak === null ? '' : ` at ${peak.start}`}: up to ${people(busiest)} for ${count(capacity, 'place')}.`,
          },
        ],
  )
}

const mealsText = ({ expected, at_most: most }: NonNullable<PlanContent['meals']>): string =>
  `Order ${count(expected, 'meal')}${most === null || most === expected ? '' : `, at most ${whole(most)}`}.`

/** Names the floors by the hours in which they run, those with the longest hours first. */
function running(
  kind: 'heat' | 'ventilate',
  floors: readonly PlannedFloor[],
  spanOf: (floor: PlannedFloor) => Span | null,
): Action[] {
  const running = floors.flatMap((floor) => {
    const span = spanOf(floor)
    return span === null ? [] : [{ floor, span }]
  })
  if (running.length === 0) return []
  const groups = [...Map.groupBy(running, ({ span }) => `${span.from} ${span.to}`).values()]
  const parts = groups
    .sort(([a], [b]) => lengthOf(b?.span) - lengthOf(a?.span))
    .map((same) => {
      const { from, to } = windowOf(same[0]?.span ?? { from: 0, to: 0 })
      return `${namesOf(same.map(({ floor }) => floor))} from ${from} to ${to}`
    })
  const minutes = running.reduce((sum, { span }) => sum + lengthOf(span), 0)
  const verb = kind === 'heat' ? 'Heat' : 'Ventilate'
  return [{ kind, text: `${verb} ${parts.join('; ')}. That is ${hoursText(minutes)} floor-hours.` }]
}

const lengthOf = (span: Span | undefined): number => (span === undefined ? 0 : span.to - span.from)

function cleaningAction(cleaning: PlanContent['cleaning'], floors: readonly PlannedFloor[]): Action[] {
  const cleaned = floors.filter(({ floor }) => floor.cleaning_minutes !== null)
  const unknown = floors.filter(({ floor, closure }) => closure === null && floor.expected === null)
  const hasOthers = cleaned.length + unknown.length < floors.length
  const sentences = [
    ...(cleaned.length === 0 ? [] : [`Clean ${namesOf(cleaned)} this evening: ${count(cleaning.minutes, 'minute')}.`]),
    ...(cleaned.length > 0 || cleaning.minutes === 0
      ? []
      : [`Clean where the people of closed floors sit: ${count(cleaning.minutes, 'minute')}.`]),
    ...(unknown.length === 0 ? [] : [`Clean ${namesOf(unknown)} as usual.`]),
    ...(hasOthers ? ['No other floor needs it.'] : []),
  ]
  return cleaning.minutes === 0 && unknown.length === 0 ? [] : [{ kind: 'clean', text: sentences.join(' ') }]
}

const usedWhileClosed = ({ usedWhileClosed: used }: PlanInput): Action[] =>
  used.length === 0
    ? []
    : [
        {
          kind: 'clean',
          text: `Clean ${listFloors(used)} as well: planned as closed on ${weekdayName(used[0]?.date ?? '')}, but used.`,
        },
      ]

const namesOf = (floors: readonly PlannedFloor[]): string => listFloors(floors.map(({ floor }) => floor))

const itOrThem = (floors: readonly PlannedFloor[]): string => (floors.length === 1 ? 'it' : 'them')
