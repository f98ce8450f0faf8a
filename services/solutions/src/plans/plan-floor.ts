import type { PlanContent } from '@wp/contracts'
import { expectationOf, hoursOf, peakOf, round, roundedUp, timeOf } from './expectation.ts'
import type { OpenMinutes, PlanInput, PlannedSpace } from './input/plan-input.ts'
import { count, people, weekdayName, whole } from './words.ts'

type Floor = PlanContent['floors'][number]

/** A floor of a plan, with what sums and sentences are made of. */
export interface PlannedFloor {
  floor: Floor
  /** People of floors that a scenario frees who sit here, besides those who are expected. */
  moved: number
  /** Those of them for whom no place is known to be free. */
  crowded: number
  closure: 'rest_day' | 'not_open' | 'scenario' | 'empty' | null
  heating: Span | null
  ventilation: Span | null
  /** People who may be there at once in the fullest hour: nine in ten days have fewer. Null if that is not known. */
  busiest: number | null
}

/** Returns true for more people than places, as the sentences about it round them. */
export const isTooFull = (busiest: number, capacity: number): boolean => Math.round(busiest) > capacity

/** In nine of ten days fewer people come: it rounds to no one. */
const emptyUpper = 0.5

export function planFloor(space: PlannedSpace, input: PlanInput): PlannedFloor {
  const { parameters, restDay } = input
  const expected = expectationOf(space, restDay)
  const hours = hoursOf(expected, space.days)
  const peak = peakOf(hours)
  const closure = closureOf(space, expected, input)
  const open = closure === null ? space.open : null
  const isMeasured = hours.some(({ people: there }) => there !== null)
  // Without measured times, a floor is run as long as it is open.
  const busy =
    open === null
      ? null
      : isMeasured || (expected !== null && expected.mean < parameters.climate_min_people)
        ? busySpan(hours, open, parameters.climate_min_people)
        : open
  const widened = (lead: number, lag: number) =>
    open === null || busy === null ? null : withLead(busy, open, lead, lag)
  const heating = widened(parameters.heating_lead_minutes, parameters.heating_lag_minutes)
  const ventilation = widened(parameters.ventilation_lead_minutes, parameters.ventilation_lag_minutes)
  const busiest = busiestOf(expected, peak)
  return {
    floor: {
      space_id: space.id,
      name: space.name,
      capacity: space.capacity,
      expected,
      hours,
      peak,
      is_closed: closure !== null,
      advice: adviceOf(space, { closure, expected, peak, busiest }, input),
      heating: heating && windowOf(heating),
      ventilation: ventilation && windowOf(ventilation),
      cleaning_minutes: closure === null && expected !== null ? cleaningMinutes(expected.mean, input) : null,
    },
    moved: 0,
    crowded: 0,
    closure,
    heating,
    ventilation,
    busiest,
  }
}

/** Returns the minutes in which a floor is cleaned after so many people; null for too few. */
export const cleaningMinutes = (people: number, { parameters }: PlanInput): number | null =>
  people < parameters.cleaning_min_people ? null : roundedUp(people * parameters.cleaning_minutes_per_person)

/**
 * Lets the people of floors that a scenario frees be cleaned for where they sit: in proportion to the free places of
 * the open floors, and those who find none, or whose floors have no known capacity, by the people expected there.
 */
export function placeMoved(floors: readonly PlannedFloor[], input: PlanInput): PlannedFloor[] {
  const moved = sumOf(floors, freedPeople)
  const hosts = floors.filter(({ closure, floor }) => closure === null && floor.expected !== null)
  if (moved === 0 || hosts.length === 0) return [...floors]
  const freeOn = ({ floor, busiest }: PlannedFloor) => Math.max(0, (floor.capacity ?? 0) - (busiest ?? 0))
  const free = sumOf(hosts, freeOn)
  const expected = sumOf(hosts, ({ floor }) => meanOf(floor))
  const seated = Math.min(moved, free)
  return floors.map((planned) => {
    if (!hosts.includes(planned))
      return { ...planned, floor: { ...planned.floor, moved_people: 0 - round(freedPeople(planned)) } }
    const onFree = free === 0 ? 0 : (seated * freeOn(planned)) / free
    const share = expected === 0 ? 1 / hosts.length : meanOf(planned.floor) / expected
    const own = onFree + (moved - seated) * share
    const minutes = cleaningMinutes(meanOf(planned.floor) + own, input)
    const { advice } = planned.floor
    const moves = Math.round(own) === 0 ? '' : ` About ${people(own)} of closed floors sit here as well.`
    const floor = { ...planned.floor, advice: advice + moves, moved_people: round(own), cleaning_minutes: minutes }
    return { ...planned, moved: own, crowded: own - onFree, floor }
  })
}

/** Returns the people of a floor that a scenario frees. */
export const freedPeople = ({ closure, floor }: PlannedFloor): number => (closure === 'scenario' ? meanOf(floor) : 0)

export const sumOf = <Item>(items: readonly Item[], numberOf: (item: Item) => number): number =>
  items.reduce((sum, item) => sum + numberOf(item), 0)

const meanOf = ({ expected }: Floor): number => expected?.mean ?? 0

function closureOf(
  { id, open }: PlannedSpace,
  expected: Floor['expected'],
  { restDay, scenario }: PlanInput,
): PlannedFloor['closure'] {
  if (restDay !== null) return 'rest_day'
  if (open === null) return 'not_open'
  if (scenario?.freeIds.has(id) === true) return 'scenario'
  return expected !== null && expected.upper !== null && expected.upper < emptyUpper ? 'empty' : null
}

function busiestOf(expected: Floor['expected'], peak: Floor['peak']): number | null {
  if (expected === null) return null
  const { mean, upper } = expected
  // Without measured times, all may be there at once.
  const atOnce = peak === null || mean === 0 || expected.measure === 'peak' ? mean : peak.people
  return upper === null || mean === 0 ? (upper ?? atOnce) : (atOnce * upper) / mean
}

function adviceOf(
  { capacity }: PlannedSpace,
  { closure, expected, peak, busiest }: Pick<PlannedFloor, 'closure' | 'busiest'> & Pick<Floor, 'expected' | 'peak'>,
  { restDay, scenario, date }: PlanInput,
): string {
  const weekday = weekdayName(date)
  if (closure === 'rest_day' && restDay?.reason === 'holiday') return `Closed: the day is ${restDay.name}.`
  if (closure === 'rest_day' || closure === 'not_open') return `Not open on ${weekday}s.`
  if (closure === 'scenario') return `Keep it closed: the scenario “${scenario?.name}” frees it on ${weekday}s.`
  if (closure === 'empty') return 'Keep it closed: no one is expected.'
  if (expected === null) return 'There are no figures of it: run and clean it as usual.'
  const most = expected.upper === null ? '' : `, at most ${whole(expected.upper)}`
  const isFull = capacity !== null && busiest !== null && isTooFull(busiest, capacity)
  const full = isFull ? ' It may be too full.' : ''
  if (expected.measure === 'peak') {
    const at = peak === null ? '' : `; fullest at ${peak.start}`
    const on = capacity === null ? '' : `, on ${count(capacity, 'place')}`
    return `About ${people(expected.mean)} at once by its counters${most}${on}${at}.${full}`
  }
  const fullest = peak === null ? '' : `; fullest at ${peak.start}, with ${whole(peak.people)} at once`
  const places = capacity === null || peak === null ? '' : ` on ${count(capacity, 'place')}`
  return `About ${people(expected.mean)}${most}${fullest}${places}.${full}`
}

/** A part of the day in minutes since midnight. */
export interface Span {
  from: number
  to: number
}

/**
 * Returns the span from the first to the last open hour with so many people; null if there is none. Hours in between
 * belong to it whatever they have. An hour of which a part is open is open.
 */
function busySpan(hours: PlanContent['hours'], open: OpenMinutes, minPeople: number): Span | null {
  const busy = hours.flatMap(({ people }, hour) =>
    people !== null && people >= minPeople && (hour + 1) * 60 > open.from && hour * 60 < open.to ? [hour] : [],
  )
  const [first] = busy
  return first === undefined ? null : { from: first * 60, to: ((busy.at(-1) ?? first) + 1) * 60 }
}

/** Widens a span by the minutes before and after it, within the opening hours. */
const withLead = (span: Span, open: OpenMinutes, lead: number, lag: number): Span => ({
  from: Math.max(open.from, span.from - lead),
  to: Math.min(open.to, span.to + lag),
})

export const windowOf = ({ from, to }: Span): { from: string; to: string } => ({ from: timeOf(from), to: timeOf(to) })

export const minutesOf = ({ from, to }: Span): number => to - from
