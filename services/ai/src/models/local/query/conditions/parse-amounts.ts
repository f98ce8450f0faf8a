import { wordsOfName } from '../../language/words.ts'
import type { Draft } from '../draft.ts'
import { betweenPattern, comparisonPattern, comparisons } from '../grammar.ts'
import { Refusal } from '../query.ts'
import { addRecurrence } from '../times/parse-times.ts'
import type { Recurrence } from '../times/recurrences.ts'

/** Takes `between 5 and 10`, `more than 5 hours`. Returns true if there was one. */
export function takeBounds(draft: Draft): boolean {
  const before = draft.text
  for (let found = draft.take(betweenPattern); found !== undefined; found = draft.take(betweenPattern)) {
    const hours = hoursBetween(draft, found)
    if (hours !== undefined) {
      addRecurrence(draft, draft.takeTime(), hours)
      continue
    }
    const field = boundField(draft, found)
    draft.addFilter(field, { gte: amountOf(found, 'low', field), lte: amountOf(found, 'high', field) }, found.index)
  }
  for (const [operator, phrase] of comparisons) {
    const pattern = comparisonPattern(phrase)
    for (let found = draft.take(pattern); found !== undefined; found = draft.take(pattern)) {
      const field = boundField(draft, found)
      draft.addFilter(field, { [operator]: amountOf(found, 'low', field) }, found.index)
    }
  }
  return draft.text !== before
}

/** Returns the hours of `between 9 and 11`, where no column has numbers that it could mean. */
function hoursBetween(draft: Draft, { groups = {} }: RegExpExecArray): Recurrence | undefined {
  const { left, right, low, high, lowCurrency, highCurrency, lowUnit, highUnit } = groups
  if ([left, right, lowCurrency, highCurrency, lowUnit, highUnit].some((part) => part !== undefined)) return undefined
  const [fromHour, untilHour] = [Number(low), Number(high)]
  const isHours = Number.isInteger(fromHour) && Number.isInteger(untilHour) && fromHour < untilHour && untilHour <= 24
  return isHours && draft.fieldsOfType('number').length === 0 ? { fromHour, untilHour } : undefined
}

const unitOf = ({ groups = {} }: RegExpExecArray, name: string): string | undefined =>
  groups[`${name}Currency`] ?? groups[`${name}Unit`] ?? groups.highCurrency ?? groups.highUnit

/** Returns the number of a bound in the unit of its column: 120 of `2 hours`, where a column has minutes. */
function amountOf(found: RegExpExecArray, name: string, field: string): number {
  const number = numberOf(found.groups?.[name])
  const unit = minutesOf(unitOf(found, name) ?? '')
  const own = minutesOfColumn(field)
  return unit === undefined || own === undefined ? number : (number * unit) / own
}

/** Returns the number that a text with separators of thousands or decimals means. */
export const numberOf = (digits = ''): number =>
  Number(/^\d{1,3}([,.]\d{3})+$/.test(digits) ? digits.replaceAll(/[,.]/g, '') : digits.replace(',', '.'))

const minutesOfDay = 1_440

/** Returns the minutes of a unit of time; undefined of another word. */
function minutesOf(unit: string): number | undefined {
  if (/^(?:mins?|minuten?|minutes?)$/.test(unit)) return 1
  if (/^(?:h|hrs?|hours?|std|stunden?)$/.test(unit)) return 60
  return /^(?:days?|tagen?|tage)$/.test(unit) ? minutesOfDay : undefined
}

/** Returns the minutes of the unit in the name of a column of durations: 60 of `hours_spent`. */
export function minutesOfColumn(field: string): number | undefined {
  const words = wordsOfName(field).map(({ plain }) => plain)
  // `min_seats` is the least number of seats, and a `day` is no duration.
  const units = words.filter((word, at) => word !== 'day' && (word !== 'min' || at === words.length - 1))
  return units.map(minutesOf).find((minutes) => minutes !== undefined)
}

/** Returns the column of a bound: the one beside it, or the only number there is. */
function boundField(draft: Draft, found: RegExpExecArray): string {
  const { 0: text, groups = {} } = found
  const { left, right, low = '' } = groups
  if (right?.startsWith('S') === true) throw new Refusal(draft.say.inexpressible(`${low} ${draft.tag(right).text}`))
  const named = [left, right].filter((name) => name !== undefined).map((name) => draft.field(name))
  const isCost = /^(?:cost|kost)/.test(groups.verb ?? '')
  const unit = unitOf(found, 'low') ?? (isCost ? 'eur' : undefined)
  const isYear = unit === undefined && /^(?:19|20)\d\d$/.test(low) && draft.fieldsOfType('timestamp').length > 0
  const numbers = draft.fieldsOfType('number').filter((field) => isOfUnit(field, unit))
  const [field, other] = new Set(named.length > 0 ? named : isYear ? [] : numbers)
  const bound = text.replaceAll(/[·\p{Lu}]\d*/gu, '').trim()
  if (field === undefined && numbers.length === 0) throw new Refusal(draft.say.unknown([bound]), 1)
  if (field === undefined || other !== undefined) throw draft.ambiguous(bound, named.length > 0 ? named : numbers)
  // A column of hours holds no euros.
  if (!isOfUnit(field, unit)) throw new Refusal(draft.say.unknown([unit ?? '']), 1)
  const isOfVerb = groups.verb === undefined || isCost || minutesOfColumn(field) !== undefined
  if (!isOfVerb) throw new Refusal(draft.say.unknown([groups.verb ?? '']), 1)
  return field
}

function isOfUnit(field: string, unit: string | undefined): boolean {
  if (unit === undefined) return true
  const [asked, own] = [minutesOf(unit), minutesOfColumn(field)]
  // Two days of work are not 48 hours.
  if (asked !== undefined) return own !== undefined && (asked === own || Math.max(asked, own) < minutesOfDay)
  return (/percent|prozent|%/.test(unit) ? /percent|prozent|pct|rate|share/i : money).test(field)
}

/** Columns of money. */
const money =
  /eur|usd|chf|gbp|cost|price|fee|salary|revenue|amount|budget|refund|rent|kosten|preis|gebuhr|gehalt|umsatz|betrag|miete/i
