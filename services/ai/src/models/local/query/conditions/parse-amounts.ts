import { coreOf } from '../core-name.ts'
import type { Draft } from '../draft.ts'
import { betweenPattern, comparisonPattern, comparisons, unitPattern } from '../grammar.ts'
import { isMoney, minutesOf, minutesOfColumn, minutesOfDay } from '../quantities.ts'
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
      // `More than 300 minutes to respond` names the column last.
      const last = draft.find('(?:to|zum|zur) (N\\d+)')?.[1]
      if (last !== undefined && draft.field(last) === field) draft.take(`(?:to|zum|zur) ${last}`)
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
  if (!isHours || draft.fieldsOfType('timestamp').length === 0) return undefined
  const numbers = draft.fieldsOfType('number').filter((field) => !isIdentifier(field))
  if (numbers.length > 0) throw draft.ambiguous(`${low}–${high}`, [draft.say.periods[0] ?? '', ...numbers])
  return { fromHour, untilHour }
}

/** Returns true for numbers that name something: no bound is about them, unless it says so. */
const isIdentifier = (field: string): boolean =>
  /(?:id|no|nr|number|nummer|code|plz|zip)$/i.test(field.replace(/\W+$/, ''))

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

/** Takes the unit that the number of a question has anyway: `response in minutes`, `fees in euros`, `response time`. */
export function takeUnits(draft: Draft): void {
  // `Response in minutes`, where both are words of `response_minutes`
  const again = draft.find('(N\\d+) (?:(?:·|time|zeit) )*(?:in|an) (N\\d+)')
  const [, first = '', unitTag = ''] = again ?? []
  if (again && isSameField(draft, first, unitTag) && new RegExp(`^${unitPattern}$`, 'i').test(draft.tag(unitTag).text))
    draft.take(`(?:in|an) ${unitTag}`)
  const [name, other] = draft.left('N')
  if (name === undefined || other !== undefined) return
  const { options } = draft.tag(name)
  const isOwn = (unit: string) =>
    options.every(({ field }) =>
      minutesOf(unit) === undefined
        ? isOfUnit(field, unit) && isCurrencyOf(field, unit)
        : minutesOf(unit) === minutesOfColumn(field),
    )
  for (const pattern of [`(?:in|an) (${unitPattern})`, `(?<=${name} )(${unitPattern})`]) {
    const unit = draft.find(pattern)?.[1]
    if (unit !== undefined && isOwn(unit)) draft.take(pattern)
  }
  if (options.every(({ field }) => minutesOfColumn(field) !== undefined))
    draft.take(`(?<=${name} )(?:time|times|zeit)|time(?: to)?(?= ${name})`)
}

const isSameField = (draft: Draft, ...names: string[]): boolean =>
  new Set(names.flatMap((name) => draft.tag(name).options.map(({ field }) => field))).size === 1

/** Returns the column of a bound: the one beside it, or the only number there is. */
function boundField(draft: Draft, found: RegExpExecArray): string {
  const { 0: text, groups = {} } = found
  const { left, right, low = '' } = groups
  if (right?.startsWith('S') === true) throw new Refusal(draft.say.inexpressible(`${low} ${draft.tag(right).text}`))
  const named = [left, right].filter((name) => name !== undefined).map((name) => draft.field(name))
  const isCost = /^(?:cost|kost|worth|wert)/.test(groups.verb ?? '')
  const unit = unitOf(found, 'low') ?? (isCost ? 'eur' : undefined)
  const isYear = unit === undefined && /^(?:19|20)\d\d$/.test(low) && draft.fieldsOfType('timestamp').length > 0
  const numbers = draft.fieldsOfType('number').filter((field) => isOfUnit(field, unit) && !isIdentifier(field))
  // An order over 5,000 euros has that total, whatever a piece costs.
  const totals = numbers.filter((field) => /total|gesamt/i.test(field))
  const isOfPieces = (field: string) => /unit|einzel|stuck|stück/i.test(field)
  const [total] = numbers.every((field) => totals.includes(field) || isOfPieces(field)) ? totals : []
  const unnamed = total !== undefined && totals.length === 1 && unit !== undefined ? [total] : numbers
  const [field, other] = new Set(named.length > 0 ? named : isYear ? [] : unnamed)
  const bound = text.replaceAll(/[·\p{Lu}]\d*/gu, '').trim()
  if (field === undefined && numbers.length === 0) throw new Refusal(draft.say.unknown([bound]), 1)
  if (field === undefined || other !== undefined) throw draft.ambiguous(bound, named.length > 0 ? named : numbers)
  // A column of hours holds no euros.
  if (!isOfUnit(field, unit)) throw new Refusal(draft.say.unknown([unit ?? '']), 1)
  const isOfVerb = groups.verb === undefined || isCost || minutesOfColumn(field) !== undefined
  if (!isOfVerb) throw new Refusal(draft.say.unknown([groups.verb ?? '']), 1)
  return field
}

/** Returns true if the numbers of a column may have a unit. */
export function isOfUnit(field: string, unit: string | undefined): boolean {
  if (unit === undefined) return true
  const [asked, own] = [minutesOf(unit), minutesOfColumn(field)]
  // Two days of work are not 48 hours.
  if (asked !== undefined) return own !== undefined && (asked === own || Math.max(asked, own) < minutesOfDay)
  if (coreOf(field).unit?.plain === unit.replace(/s$/, '')) return true
  if (isCurrency.test(unit)) return isMoney(field)
  return /percent|prozent|%/.test(unit) && /percent|prozent|pct|%|rate|share/i.test(field)
}

/** Amounts are in euros, unless the name of their column says otherwise. */
function isCurrencyOf(field: string, unit: string): boolean {
  const currencies = [/eur|€/i, /usd|dollar|\$/i, /chf|fran/i, /gbp|pound|£/i]
  const [own = currencies[0]] = currencies.filter((pattern) => pattern.test(field))
  return !isCurrency.test(unit) || own?.test(unit) === true
}

const isCurrency = /^(?:eur|euros?|€|\$|usd|dollars?|chf|francs?|franken|gbp|pounds?)$/
