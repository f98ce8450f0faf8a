import { wordsOf } from '../column-names.ts'
import * as words from './column-roles.ts'
import { findByName, hasWord } from './column-roles.ts'
import { isClock, isDate, isDay, isFlag, isMoment, isName, isNamed, isNumber, isText, isTime } from './column-traits.ts'
import {
  active,
  dayOfTime,
  direction,
  duration,
  type Finder,
  identification,
  level,
  moment,
  momentOrClock,
  named,
  ofBooking,
  person,
  rangeOfBooking,
  sheet,
  space,
  spaceKind,
  status,
  team,
} from './role-finders.ts'
import * as facts from './space-words.ts'

/** The kinds of data about a workplace, most specific first. */
export const kinds = ['people', 'bookings', 'spaces', 'badge_events', 'attendance_days', 'counts'] as const
export type RecognizedKind = (typeof kinds)[number]

/** Returns true if a column is named after a person, place or team, so that its numbers are names. */
export const isNameOfRole = (name: string): boolean =>
  !hasWord(name, words.measuredWords) &&
  [...words.personWords, ...words.spaceWords, ...words.teamWords].some((pattern) => hasWord(name, pattern))

/** Returns true for `Room` and `Raum-Nr.`, but not for `Price by room`. */
export const isOnlySpaceName = (name: string): boolean => {
  const parts = wordsOf(name)
  const isSpace = (word: string) => words.spaceWords.some((pattern) => pattern.test(word))
  return parts.some(isSpace) && parts.every((word) => isSpace(word) || identification.test(word))
}

/** Returns true for `Room` and `Raum-Nr.`, but not for what is measured in rooms, such as `Raumhöhe` and `Level`. */
export const isRoomName = (name: string): boolean =>
  isOnlySpaceName(name) && wordsOf(name).every((word) => roomWords.test(word) || identification.test(word))
const roomWords = /^(?:rooms?|raum|raume|zimmer|salle|sala|desks?|platz|arbeitsplatz|zone)(?:nr|no|number|nummer|id)?$/

const maxCode = 3

/** The roles of each kind in the order in which they are given columns. */
export const finders: Record<RecognizedKind, Record<string, Finder>> = {
  people: {
    person,
    team,
    from: named([...words.startWords, ...words.joiningWords], isDate),
    until: named([...words.endWords, ...words.leavingWords], isDate),
    active: (columns) => active(columns),
  },
  badge_events: { time: momentOrClock(moment), date: dayOfTime, direction, person, space, team },
  attendance_days: { date: moment(isTime), status, person, space, team },
  bookings: {
    start: (columns) => momentOrClock(ofBooking(words.startWords))(columns) ?? rangeOfBooking(columns),
    end: (columns, start) =>
      (start !== undefined && isClock(start) ? undefined : ofBooking(words.endWords)(isMoment)(columns)) ??
      ofBooking(words.endWords)(isClock)(columns),
    duration: (columns) => duration(columns),
    date: dayOfTime,
    // Calendars have the id of each event too.
    person: (columns) => findByName(columns, words.bookerWords, isName) ?? person(columns),
    end_date: (columns, start) =>
      start !== undefined && isClock(start) ? findByName(columns, words.endWords, isDay) : undefined,
    attendees: named(words.attendeeWords, isNumber),
    space,
    no_show: named(words.noShowWords, isFlag),
    checked_in: named(words.checkedInWords, isFlag),
    cancelled: named(words.cancelledWords, isFlag),
  },
  counts: {
    time: momentOrClock(moment),
    date: dayOfTime,
    space: (columns) => space(columns) ?? sheet(columns),
    // Two directions are counted by two columns; one of them alone tells of arrivals only.
    in: named(words.inWords, isNumber),
    out: named(words.outWords, isNumber),
    value: (columns) => level(columns),
  },
  spaces: {
    kind: spaceKind,
    parent_id: named(facts.parentWords, isName),
    active: (columns) => active(columns),
    name: (columns) =>
      findByName(columns, facts.spaceNameWords, isName) ?? findByName(columns, words.spaceWords, isName),
    external_id: named(facts.spaceIdWords, isName),
    capacity: named(facts.capacityWords, isNumber),
    area_m2: named(
      facts.areaWords,
      (column) => isNumber(column) && !facts.isOtherAreaName(column.name) && !isNamed(column, facts.costWords),
    ),
    annual_cost: named(
      facts.costWords,
      (column) =>
        isNumber(column) &&
        !facts.isOtherCostName(column.name) &&
        !column.examples?.some((text) => facts.otherCostUnit.test(text)),
    ),
    avoidable_share: named(facts.avoidableWords, isNumber),
    currency: named([/^(?:currency|wahrung|devise)$/], isText),
    country: named([/^(?:country|land|pays|pais|paese|国)$/], isText),
    // A code, such as `BY`: names of regions and states of use are none.
    subdivision: named(
      [/^(?:subdivision|bundesland|region|state)$/],
      (column) => isText(column) && (column.examples ?? []).every((text) => text.length <= maxCode),
    ),
    timezone: named([/^(?:timezone|zeitzone|fuseau|zonahoraria|fusoorario|タイムソーン)/], isText),
    opening_hours: named([/^(?:opening|offnungszeiten|offnungszeit|horaires)$/], isText),
  },
}
