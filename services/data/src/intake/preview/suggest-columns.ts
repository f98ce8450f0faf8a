import type { Preview } from '@wp/contracts'
import {
  areaWords,
  capacityWords,
  clockRange,
  durationWords,
  hasWord,
  hourWords,
  isNameOfRole,
  isWeekdayName,
  kindRemarks,
  recognizeDataset,
  roles,
  wordsOf,
} from '@wp/tabular'
import type { ColumnPlan } from '../columns/column-plan.ts'
import { isYesOrNo } from '../columns/warnings/column-warnings.ts'
import { findCrossColumns } from '../columns/warnings/cross-table.ts'
import {
  highNulls,
  isHalfNumbers,
  isMostlyNumbers,
  possibleNulls,
  wordBetweenNumbers,
} from '../columns/warnings/number-warnings.ts'
import { withoutDivisor } from '../columns/warnings/time-warnings.ts'
import { isPersonal } from './personal-columns.ts'

/** The columns of a table and what is known of their values. */
export interface ColumnSummary {
  plan: ColumnPlan
  /** Different values, up to a bound, and their number. */
  values?: ReadonlySet<unknown> | undefined
  distinct: number
}

/** Returns true for a name with a word of some lists: those of the roles of datasets, and further ones. */
const named =
  (...lists: (RegExp | readonly RegExp[])[]) =>
  (name: string): boolean =>
    lists.flat().some((pattern) => hasWord(name, pattern))
const isHour = named(hourWords, /^(?:hours|stunden|time|zeit|interval|range)$/)
/** A length of time, whose values look like times of day. */
const isDuration = named(durationWords, /^(?:worked|arbeitszeit|arbeitsdauer|stay|aufenthalt|aufenthaltsdauer|dwell)$/)
const isStart = named(roles.startWords)
const isEnd = named(roles.endWords)
const isPerson = named(roles.personWords, /^(?:people|visitor)$/)
const isTeam = named(roles.teamWords)
const isPlace = named(roles.spaceWords, roles.teamWords, /^(?:area|category|type)$/)
const isSpaceFact = named(capacityWords, areaWords)
/** `In` and `Out` alone are words of other names too. */
const isFlow = (name: string): boolean =>
  named(
    ...[roles.inWords, roles.outWords],
    /^(?:swipes?|visits?|visitors|besucher|besucherzahl|footfall|checkins?|frequenz|arrivals?)$/,
  )(
    wordsOf(name)
      .filter((word) => word !== 'in' && word !== 'out')
      .join(' '),
  )
const isLevel = named(roles.levelWords.slice(0, 1), /^(?:inside|utilization|headcount|level)$/)
const isCountWord = (name: string): boolean => isFlow(name) || named(roles.levelWords, /^attendance$/)(name)
/** Returns true for `In`, `Door 1 Out` and `People in (A)`, but not for `Speed in knots`. */
const isPassage = (name: string): boolean => {
  const words = wordsOf(name)
  return words.some(
    (word, at) =>
      /^(?:in|out)$/.test(word) && (at === 0 || at === words.length - 1 || isCountWord(words[at - 1] ?? '')),
  )
}
const isCount = (name: string): boolean => isCountWord(name) || isPassage(name)
const isNoValue = named(
  /^(?:id|index|column|code|nr|no|row|year|jahr|month|monat|quarter|quartal|week|woche|weekday|wochentag|day|tag|hour|hr|minute|stunde|lat|latitude|lon|lng|longitude|zip|plz|capacity|kapazitat|floor|etage|direction|richtung|sens)$/,
)
/** A part of the date: grouped by it, a series of every day becomes seven of a day a week. */
const isCalendarPart = named(
  /^(?:weekday|wochentag|day|tag|week|woche|kw|month|monat|quarter|quartal|year|jahr|feiertag)$/,
)
const maxGroups = 200
const maxValues = 20

/** Suggests the use of the columns of a table. */
export function suggestColumns(columns: readonly ColumnSummary[], rows: number): Preview['suggestions'] {
  const summaries = columns.map((column) => ({ ...column, name: column.plan.name }))
  const timestamp = suggestTimestamp(columns.map(({ plan }) => plan))
  const used = new Set(timestamp)
  const plans = columns.map(({ plan }) => plan)
  const crossed = new Set(findCrossColumns(plans)?.names)
  const described = columns.filter(({ plan }) => !crossed.has(plan.name)).map(describeColumn)
  const dataset = recognizeDataset(described, rows)
  const identifies = new Set(identifying.map((role) => dataset?.mapping[role]))
  const isUsable = (name: string) =>
    !used.has(name) &&
    !(isNoValue(withoutDivisor(name)) && !isPassage(name) && !isNumbered(name, plans)) &&
    !identifies.has(name) &&
    !crossed.has(name)
  const numbers = summaries.filter(({ plan, name }) => plan.type === 'number' && isUsable(name))
  const counts = numbers.filter(({ name }) => isCount(name))
  // A share of the places says again what the people say; beside them it would be a forecast of its own.
  const amounts = counts.filter(({ name }) => !roles.isShare({ name }))
  const others = numbers.filter(
    (column) =>
      (isNumbered(column.name, plans) || !isNameOfRole(column.name)) &&
      !areIdentifiers(column, rows, timestamp.length > 0),
  )
  const value = (amounts.length > 0 ? amounts : counts.length > 0 ? counts : others)
    .map(({ name }) => name)
    .slice(0, maxValues)
  const groups = summaries.filter(({ plan, distinct, values = [], name }) => {
    const isSmall = distinct > 1 && distinct <= maxGroups && distinct * 2 <= rows
    return (
      plan.type === 'string' &&
      plan.timeOfDay === undefined &&
      plan.evidence.typed.other === 0 &&
      !used.has(name) &&
      !isCalendarPart(name) &&
      !crossed.has(name) &&
      ![...values].every((value) => isWeekdayName(String(value))) &&
      plan.evidence.empty * 2 <= rows &&
      (isPlace(name) || (isSmall && !isPerson(name)))
    )
  })
  return {
    kind: dataset?.kind ?? suggestKind(plans, timestamp, value),
    dataset,
    timestamp,
    value,
    group_by: groups.filter(({ distinct }) => distinct <= maxGroups).map(({ name }) => name),
    measure: suggestMeasure(value),
    personal: columns.flatMap(({ plan }) => (isPersonal(plan) ? [plan.name] : [])),
    continues: [],
    nulls: [
      ...new Set(
        columns.flatMap(({ plan, values = [] }) => [
          ...possibleNulls(plan, rows),
          ...highNulls(plan, values),
          ...wordBetweenNumbers(plan, values),
        ]),
      ),
    ],
  }
}

/** Returns true for one of several columns such as `Floor 1` and `Floor 2`, which are not numbers of floors. */
function isNumbered(name: string, plans: readonly ColumnPlan[]): boolean {
  const baseOf = (text: string) => text.replace(/[ _-]?\d+$/, '')
  const base = baseOf(name)
  return base !== name && plans.filter((plan) => plan.type === 'number' && baseOf(plan.name) === base).length > 1
}

/** Roles whose numbers are names, such as those of badges and rooms. */
const identifying = ['person', 'space', 'team'] as const

const maxExamples = 50
const midnight = /T00:00(?::00(?:\.0+)?)?$/

const describeColumn = ({ plan, distinct, values = new Set() }: ColumnSummary) => {
  const isWord = plan.type === 'string' && distinct <= maxExamples
  const examples = isWord
    ? [...values].flatMap((value) => ((value ?? '') === '' ? [] : `${value}`))
    : plan.evidence.examples
  // Programs write dates as midnight.
  const areMidnights = distinct > 1 && [...values].every((value) => midnight.test(`${value ?? 'T00:00'}`))
  const largest = Math.max(0, ...[...values].filter((value) => typeof value === 'number'))
  return { name: plan.name, type: plan.type, examples, distinct, largest, isDateOnly: isDateOnly(plan) || areMidnights }
}

/** Returns warnings of which use of the table a person has to judge. */
export const kindWarnings = (columns: readonly ColumnSummary[], { dataset }: Preview['suggestions']) =>
  kindRemarks(
    columns.map(describeColumn),
    dataset,
    (name) => columns.find(({ plan }) => plan.name === name)?.values ?? [],
  )

const minIdentifiers = 10

const isMeasured = named(
  /^(?:energy|energie|energia|power|leistung|consumption|verbrauch|consumo|consommation|usage|generation|amount|menge|total|sum|summe|umsatz|revenue|sales|costs?|kosten|price|preis|[kmg]?wh?|m3|l|liter|litres?|ppm|co2)$/,
)

/**
 * Returns true if all values are whole numbers of the same length which come again or follow each other, as numbers of
 * badges do, or are each of a row in a list without times. Energy and the like have such values by chance.
 */
function areIdentifiers({ plan, values = new Set() }: ColumnSummary, rows: number, hasTimes: boolean): boolean {
  if (plan.unit !== undefined || isMeasured(plan.name) || values.size < minIdentifiers) return false
  const numbers = [...values].map(Number)
  const [least, most] = [Math.min(...numbers), Math.max(...numbers)]
  const isOfOneLength = least >= 100 && `${least}`.length === `${most}`.length && numbers.every(Number.isInteger)
  const isListed = !hasTimes && values.size === rows
  return isOfOneLength && (isListed || values.size * 2 <= rows || most - least === values.size - 1)
}

/** Suggests a column of times, or one of dates and one of hours, times of day or ranges of them. */
function suggestTimestamp(plans: readonly ColumnPlan[]): string[] {
  const times = plans.filter(({ type }) => type === 'timestamp')
  const withTime = times.find((plan) => !isDateOnly(plan))
  const start = times.find(({ name }) => isStart(name))
  if (start !== undefined && !isDateOnly(start)) return [start.name]
  if (withTime !== undefined) return [withTime.name]
  const [date] = times
  if (date === undefined) return []
  const ofDay =
    plans.find(({ timeOfDay, name }) => timeOfDay !== undefined && !isDuration(name)) ??
    plans.find((plan) => isHour(plan.name) && isHourColumn(plan))
  return ofDay === undefined ? [date.name] : [date.name, ofDay.name]
}

const isDateOnly = ({ timestampFormats: [format], evidence }: ColumnPlan): boolean =>
  format === undefined ? evidence.examples.every((text) => text.length <= 10) : !/[HhXx]/.test(format)

const isHourColumn = ({ type, evidence: { examples } }: ColumnPlan): boolean =>
  type === 'number'
    ? examples.every((text) => /^\d{1,2}$/.test(text) && Number(text) <= 24)
    : type === 'string' &&
      examples.length > 0 &&
      examples.every((text) => /^(?:[01]\d|2[0-4])[0-5]\d$/.test(text) || clockRange.test(text.trim()))

function suggestMeasure(value: readonly string[]): 'level' | 'flow' | null {
  const ofName = (name: string): 'level' | 'flow' | null => {
    const words = wordsOf(name).join(' ')
    if (/\b(?:people|personen) in(?:side)?\b/.test(words) || isLevel(name)) return 'level'
    return isFlow(name) || isPassage(name) ? 'flow' : null
  }
  const [first = null, ...others] = value.map(ofName)
  return others.every((measure) => measure === first) ? first : null
}

function suggestKind(
  plans: readonly ColumnPlan[],
  timestamp: readonly string[],
  value: readonly string[],
): Preview['suggestions']['kind'] {
  const texts = plans
    .filter(
      (plan) =>
        plan.type !== 'timestamp' && !(plan.type === 'string' && (isMostlyNumbers(plan) || isHalfNumbers(plan))),
    )
    .map(({ name }) => name)
  const hasPerson = texts.some((name) => isPerson(name) && !value.includes(name))
  const moments = plans.filter(({ type, timeOfDay }) => type === 'timestamp' || timeOfDay !== undefined)
  if (moments.some(({ name }) => isStart(name)) && moments.some(({ name }) => isEnd(name))) return 'bookings'
  if (timestamp.length === 0) {
    if (plans.some(({ name, type }) => type === 'number' && isSpaceFact(name))) return 'spaces'
    return hasPerson && texts.some(isTeam) ? 'people' : 'table'
  }
  const first = plans.find(({ name }) => name === timestamp[0])
  if (hasPerson && value.length === 0 && !plans.some(isYesOrNo))
    return timestamp.length === 1 && first !== undefined && isDateOnly(first) ? 'attendance_days' : 'badge_events'
  return value.length > 0 ? 'counts' : 'table'
}
