import type { PlanContent } from '@wp/contracts'
import type { StoredContent } from '../store/plans.ts'
import { actionsOf, seatsOf } from './actions.ts'
import { expectationOf, hoursOf, peakOf, roundedUp } from './expectation.ts'
import type { PlanInput } from './input/plan-input.ts'
import {
  cleaningMinutes,
  freedPeople,
  minutesOf,
  type PlannedFloor,
  placeMoved,
  planFloor,
  type Span,
  sumOf,
} from './plan-floor.ts'
import { disagreementWarning, measureWarning, withUsualDays } from './usual-days.ts'
import { count, formatShare, hoursText, listFloors, longDay, people, whole } from './words.ts'

/** A plan before it is stored. */
export interface MadePlan {
  /** The subject of a mail. */
  title: string
  headline: string
  content: StoredContent
}

/** Makes the plan of a day. */
export function makePlan(given: PlanInput): MadePlan {
  const input = withUsualDays(given)
  const { site, restDay, timezone, forecastRunId } = input
  const expected = expectationOf(site, restDay)
  const planned = input.floors.map((floor) => planFloor(floor, input))
  const floors = placeMoved(planned, input)
  const hours = hoursOf(expected, site.days)
  const content: PlanContent = {
    timezone,
    rest_day: restDay,
    capacity: site.capacity,
    expected,
    hours,
    peak: peakOf(hours),
    forecast_run_id: forecastRunId,
    floors: floors.map(({ floor }) => floor),
    meals: mealsOf(expected, input),
    cleaning: cleaningOf(floors, input),
    heating: runningOf(floors, input, ({ heating }) => heating),
    ventilation: runningOf(floors, input, ({ ventilation }) => ventilation),
    actions: [],
    warnings: [],
  }
  content.actions = actionsOf(input, content, floors)
  content.warnings = [
    ...warningsOf(input, expected, floors),
    ...disagreementWarning([{ ...content, name: site.name }, ...content.floors]),
  ]
  return { ...wordingOf(input, content, floors), content }
}

function mealsOf(expected: PlanContent['expected'], { parameters: { meal_share: share } }: PlanInput) {
  if (expected === null) return null
  // Of whole people, as they are written.
  const [mean, upper] = [Math.round(expected.mean), expected.upper === null ? null : Math.round(expected.upper)]
  const [meals, most] = [roundedUp(mean * share), upper === null ? null : roundedUp(upper * share)]
  if (meals === 0 && most === 0) return { expected: 0, at_most: 0, arithmetic: 'No one is expected to eat' }
  const atMost =
    most === null || upper === null
      ? ''
      : `; ${count(upper, 'person', 'people')} × ${formatShare(share)} = at most ${whole(most)}`
  return {
    expected: meals,
    at_most: most,
    arithmetic: `${count(mean, 'person', 'people')} × ${formatShare(share)} = ${count(meals, 'meal')}${atMost}`,
  }
}

function cleaningOf(floors: readonly PlannedFloor[], input: PlanInput): PlanContent['cleaning'] {
  const cleaned = floors.filter(({ floor }) => floor.cleaning_minutes !== null)
  const moved = sumOf(cleaned, (floor) => floor.moved)
  const crowded = Math.round(sumOf(cleaned, (floor) => floor.crowded))
  // Without an open floor that has figures, it is not known where they sit.
  const isPlaced = floors.some((floor) => floor.moved > 0)
  const unplaced = isPlaced ? 0 : sumOf(floors, freedPeople)
  const unplacedMinutes = cleaningMinutes(unplaced, input)
  const there = sumOf(cleaned, ({ floor }) => floor.expected?.mean ?? 0) + moved
  const minutes = sumOf(cleaned, ({ floor }) => floor.cleaning_minutes ?? 0) + (unplacedMinutes ?? 0)
  const of = [
    ...(Math.round(moved) === 0 ? [] : [`${whole(moved)} of them of closed floors`]),
    ...(crowded === 0 ? [] : [`of whom ${crowded} beyond the free places that are known`]),
  ]
  const people = [
    ...(cleaned.length === 0
      ? []
      : [[`${whole(there)} people on ${count(cleaned.length, 'floor')}`, ...of].join(', ')]),
    ...(unplacedMinutes === null ? [] : [`${whole(unplaced)} people of closed floors, on other floors`]),
  ].join(' + ')
  const each = count(input.parameters.cleaning_minutes_per_person, 'minute')
  return {
    minutes,
    floors: cleaned.length,
    arithmetic:
      people === ''
        ? 'No floor needs cleaning'
        : `${people}${of.length > 0 || unplacedMinutes !== null ? ',' : ''} × ${each}, rounded up by floor = ${count(minutes, 'minute')}`,
  }
}

/** Sums the hours in which floors are heated or ventilated: `3 floors × 11 h + 1 floor × 8 h = 41 h of 52 h`. */
function runningOf(
  floors: readonly PlannedFloor[],
  { floors: spaces }: PlanInput,
  spanOf: (floor: PlannedFloor) => Span | null,
): PlanContent['heating'] {
  const minutes = floors.flatMap((floor) => {
    const span = spanOf(floor)
    return span === null ? [] : minutesOf(span)
  })
  const all = minutes.reduce((sum, one) => sum + one, 0)
  const open = spaces.reduce((sum, { open: hours }) => sum + (hours === null ? 0 : minutesOf(hours)), 0)
  const groups = [...Map.groupBy(minutes, (one) => one)].sort(([a], [b]) => b - a)
  const terms = groups.map(([each, same]) => `${count(same.length, 'floor')} × ${hoursText(each)} h`)
  const arithmetic = `${terms.join(' + ')} = ${hoursText(all)} h of ${hoursText(open)} h in which the floors are open`
  return { floor_hours: Number(hoursText(all)), arithmetic: terms.length === 0 ? 'No floor runs' : arithmetic }
}

function warningsOf(
  { warnings, site, floors: spaces, restDay }: PlanInput,
  expected: PlanContent['expected'],
  floors: readonly PlannedFloor[],
): string[] {
  const unknown = restDay === null ? floors.filter(({ floor }) => floor.expected === null) : []
  return [
    ...warnings,
    ...(spaces.length === 0 ? [`${site.name} has no floors: add them, so that each is planned.`] : []),
    ...(expected === null
      ? [`There is neither a forecast nor enough days to tell how many people come to ${site.name}.`]
      : []),
    ...(unknown.length === 0 || expected === null
      ? []
      : [`No figures are known or shown of ${listFloors(unknown.map(({ floor }) => floor))}: run and clean as usual.`]),
    ...measureWarning([{ ...site, expected }, ...floors.map(({ floor }) => floor)]),
    ...(expected !== null && expected.mean > 0 && floors.every(({ floor }) => floor.peak === null)
      ? ['No times are measured, so floors are heated and ventilated as long as they are open.']
      : []),
  ]
}

/** The title names the day first, for lists of mails; the headline is a sentence to read aloud. */
function wordingOf(
  { site, date, restDay }: PlanInput,
  { expected }: PlanContent,
  floors: readonly PlannedFloor[],
): Pick<MadePlan, 'title' | 'headline'> {
  const day = longDay(date)
  if (restDay !== null) {
    const state = restDay.name === null ? 'not open' : `closed (${restDay.name})`
    return {
      title: `Plan for ${day}: ${site.name} is ${state}`,
      headline: `${site.name} is ${restDay.name === null ? 'not open' : 'closed'} on ${day}${restDay.name === null ? '' : `, because it is ${restDay.name}`}.`,
    }
  }
  // A floor that is not open on such a day is no decision of this one.
  const closed = floors.filter(({ closure }) => closure !== null && closure !== 'not_open').length
  const seats = seatsOf(floors)
  const isShort = seats !== null && seats.free < seats.moved
  const opens = isShort ? ', but one must open again' : ''
  const stays = `${closed} of ${count(floors.length, 'floor')} ${closed === 1 ? 'stays' : 'stay'} closed${opens}`
  if (expected === null)
    return {
      title: `Plan for ${day}: ${site.name}, no figures`,
      headline: `How many people come to ${site.name} on ${day} is not known${closed === 0 ? '' : `; ${stays}`}.`,
    }
  const most = expected.upper === null ? '' : `, at most ${whole(expected.upper)}`
  const atOnce = expected.measure === 'peak' ? ' at once' : ''
  return {
    title: `Plan for ${day}: ${site.name}, about ${people(expected.mean)}${atOnce}${closed === 0 ? '' : `, ${count(closed, 'floor')} closed${opens}`}`,
    headline: `About ${people(expected.mean)} ${Math.round(expected.mean) === 1 ? 'is' : 'are'} expected${atOnce} in ${site.name} on ${day}${most}${closed === 0 ? '' : `; ${stays}`}.`,
  }
}
