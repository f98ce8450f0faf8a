import { wordsOfName } from '../../language/words.ts'
import { recordColumn } from '../column-roles.ts'
import { coreOf } from '../core-name.ts'
import type { Draft } from '../draft.ts'
import { bucketOf, buckets, columnTag, functions, groupWords, participle } from '../grammar.ts'
import type { Order } from '../order/parse-order.ts'
import { isQuantity, isRate } from '../quantities.ts'
import { type Query, Refusal } from '../query.ts'

/** Returns true for the price of each record, unless a record stands for several things. */
const isPriceOfRecord = (draft: Draft, field: string): boolean =>
  /price|preis/i.test(field) &&
  !/unit|einzel|per|pro|average|avg/i.test(field) &&
  !draft.fieldsOfType('number').some(isQuantity)

export type Measure = Pick<Query, 'form' | 'function' | 'field' | 'alsoExtreme'>

/**
 * Takes the function, and the number it is applied to. Undefined if the question names no function. Longer than most
 * functions, because each way to name one is tried after those before it.
 */
export function takeMeasure(draft: Draft, order: Order | undefined, isGrouped: boolean): Measure | undefined {
  const counted = draft.find(
    `(?:${functions.count}) (?:S\\d+ (?=X\\d))?(?:(?:${functions.distinct}|all|the|der|aller|V\\d+|·|[XB]\\d+ (?=[VS]\\d)) )*([S]\\d+|${columnTag})`,
  )?.[1]
  const isTotal = draft.find('in total|in all|altogether|insgesamt') !== undefined
  const [isMedian = false, isAverage = false, isCount = false, isDistinct = false, isSum = false] = (
    ['median', 'mean', 'count', 'distinct', 'sum'] as const
  ).map((name) => draft.take(functions[name]) !== undefined)
  const isMean = isAverage || isMedian
  const center = isMedian ? 'median' : 'mean'
  if (isMean) draft.take('(?:per|pro|je|each|every) (?:S\\d+|entry|record|row|eintrag|datensatz)')
  if (draft.find(functions.count) !== undefined || (isMean && isSum) || (isMedian && (isAverage || isCount)))
    throw new Refusal(draft.say.inexpressible(`${draft.say.several}`))
  if (isDistinct && !isCount) throw new Refusal(draft.say.unknown([draft.say.different]), 1)
  const measure = (name: Query['function'], field?: string): Measure => {
    if (name === 'sum' && field !== undefined && isRate(field) && !isPriceOfRecord(draft, field))
      throw new Refusal(draft.say.noSum(field))
    return { form: 'aggregate', function: name, field, alsoExtreme: false }
  }
  if (order !== undefined && order.target !== 'records') {
    const { field, direction, target, isMost, isCommon } = order
    if (isDistinct) throw new Refusal(draft.say.inexpressible(draft.say.different))
    if (target === 'value' && (field !== undefined || !isGrouped)) {
      if (field === undefined) throw draft.noNumber()
      if (isMean || isSum) throw new Refusal(draft.say.inexpressible(draft.say.superlative))
      return measure(direction, field)
    }
    if (field !== undefined && order.isOfNames) return measure('distinct', field)
    if (field === undefined) {
      // `Top customers` and `the highest sales` do not say by which number.
      const isOfRecords = draft.left('S').length > 0 && (isMost || isCount)
      if (isMean || (isSum && !isCount) || !(isOfRecords || isCommon || order.isCrowded)) throw draft.noNumber()
      return measure('count')
    }
    if (draft.fieldsOfType('timestamp').includes(field)) throw new Refusal(draft.say.noSum(field))
    const name = isMean ? center : isRate(field) ? 'mean' : 'sum'
    return { ...measure(name, field), alsoExtreme: !isMean && !isSum && !isMost && !isCount }
  }
  if (!isMean && !isCount && !isSum) return undefined
  const names =
    counted?.startsWith('S') === true && isDistinct && !isMean && !isSum ? recordColumn(draft.source) : undefined
  if (names !== undefined) return { ...measure('count', names), form: 'distinct' }
  if (isCount && counted !== undefined && /^[XN]/.test(counted)) {
    const found = takeCounted(draft, counted, { isMean, isDistinct, isSum, isGrouped, isTotal })
    return found.form === 'distinct' ? found : measure(found.function, found.field)
  }
  const isOfRecords = draft.left('S').length > 0 && draft.left('N').length === 0 && isGrouped
  if (isAverage && !isSum && !isDistinct && isOfRecords && order === undefined) {
    draft.isAverageCount = true
    return measure('count')
  }
  if (isDistinct || (isCount && isMean)) throw new Refusal(draft.say.inexpressible(draft.say.several))
  if (isCount || (isSum && draft.left('N').length === 0 && draft.left('S').length > 0)) {
    const quantities = draft.fieldsOfType('number').filter((field) => !isCount || isQuantity(field))
    // A record of `Hammer` may stand for many, and the total of sales may be money.
    if (quantities.length > 0 && (!isCount || draft.left('S').length === 0))
      throw draft.ambiguous(isCount ? draft.say.number : draft.say.total, [
        draft.say.records(draft.source.name),
        ...quantities.map(draft.say.sumOf),
      ])
    return measure('count')
  }
  const field = draft.takeNumber()
  if (field === undefined) throw draft.noNumber()
  return measure(isMean ? center : 'sum', field)
}

interface Functions {
  isMean: boolean
  isDistinct: boolean
  isSum: boolean
  isGrouped: boolean
  /** True for `in total`, which changes nothing about a number of different values. */
  isTotal: boolean
}

/** Takes the column after `how many`: the total of a number, or the number of different values. */
function takeCounted(
  draft: Draft,
  counted: string,
  { isMean, isDistinct, isSum, isGrouped, isTotal }: Functions,
): Measure {
  const { text, isExact } = draft.tag(counted)
  const field = draft.field(counted)
  draft.take(counted)
  const distinct: Measure = { form: 'distinct', function: 'count', field, alsoExtreme: false }
  if (isMean && counted.startsWith('N')) return { ...distinct, form: 'aggregate', function: 'mean' }
  if (isMean) throw new Refusal(draft.say.inexpressible(draft.say.several))
  if (counted.startsWith('N') && !isDistinct) {
    // `How many attendees cancelled` is about the attendees, not about their bookings.
    const isOfNumber =
      draft.left('S').length === 0 && draft.left('V').some((name) => participle.test(draft.tag(name).text))
    if (isOfNumber) throw new Refusal(draft.say.inexpressible(text))
    const isUnit = coreOf(field).core.every(({ plain }) => !text.toLowerCase().includes(plain))
    if (!isExact && !isSum && !isUnit)
      throw draft.ambiguous(text, [draft.say.differentOf(field), draft.say.sumOf(field)])
    return { ...distinct, form: 'aggregate', function: 'sum' }
  }
  // `How many trainings per site`, of a source and a column of that name: the records may be meant.
  if (isGrouped && !isDistinct && field === recordColumn(draft.source))
    throw draft.ambiguous(text, [draft.say.records(draft.source.name), draft.say.differentOf(field)])
  // `How many people per floor` counts each person once a floor.
  if (isGrouped && !isSum) return { ...distinct, form: 'aggregate', function: 'distinct' }
  // `On loan` is a state, and not every loan has it.
  if (isSum && draft.find('(?:on|auf|under|in) S\\d+(?! ·)') === undefined && isTotal) return distinct
  if (isSum || draft.find('(?:on|auf|under|in) S\\d+(?! ·)') !== undefined)
    throw new Refusal(draft.say.inexpressible(text))
  return distinct
}

/** Takes the month of a monthly price: `5,000 euros a month`. */
function takeMonth(draft: Draft): void {
  const numbers = [...draft.left('N').map((name) => draft.field(name)), ...Object.keys(draft.filters)]
  if (!numbers.some(isMonthly)) return
  const tags = draft.left('N').filter((name) => /^(?:month|monat)$/i.test(draft.tag(name).text))
  draft.take(`(?:a|in the|im|per|pro|je|each) (?:${['month', 'monat', ...tags].join('|')})`)
}

const isMonthly = (field: string): boolean =>
  wordsOfName(field).some(({ plain }) => /^(?:monthly|monatlich\w*|month|monat|monats\w+)$/.test(plain))

/** Takes `by team and status`, `per month`. */
export function takeGroups(
  draft: Draft,
  order: Order | undefined,
  time: string | undefined,
): Pick<Query, 'groupBy' | 'bucket'> {
  const names = typeof order?.target === 'object' ? [order.target.name] : []
  const pattern = `(?:${groupWords}) (?:the )?(${columnTag}|${buckets})(?: (?:and|und) (?:(?:by|per|pro|nach) )?(${columnTag}|${buckets}))?`
  takeMonth(draft)
  for (let found = draft.find(pattern); found !== undefined; found = draft.find(pattern)) {
    const [whole, first = '', second] = found
    // `Visitors per desk` divides two quantities; `visitors per floor` has a number for each floor.
    const isDivisor =
      first.startsWith('N') && (draft.tag(first).isExact || coreOf(draft.field(first)).unit !== undefined)
    if (/^(?:per|pro|je) N/.test(whole) && isDivisor && draft.left('N').length > 1) throw draft.inexpressible(whole)
    const bucket = bucketOf(first)
    const numbers = [...draft.left('N').map((name) => draft.field(name)), ...Object.keys(draft.filters)]
    const isOfNumber = bucket === 'month' && numbers.some(isMonthly)
    draft.take(pattern)
    // The month of `monthly_cost` is no group.
    if (!isOfNumber) names.push(first)
    if (second !== undefined) names.push(second)
  }
  const groups: Pick<Query, 'groupBy' | 'bucket'> = { groupBy: [], bucket: undefined }
  for (const name of names) {
    // A column `day` is also the word of `per day`.
    const by = bucketOf(/^D\d+$/.test(name) ? draft.tag(name).text.toLowerCase() : name)
    const field = /^[XNBD]\d+$/.test(name) ? draft.field(name) : undefined
    if (by === undefined && !/^D\d+$/.test(name)) groups.groupBy.push(field ?? name)
    else if (by !== undefined && groups.bucket === undefined)
      groups.bucket = { field: field ?? time ?? draft.takeTime(), by }
    else throw draft.inexpressible(name)
  }
  if (groups.groupBy.length + (groups.bucket === undefined ? 0 : 1) > 2) throw draft.inexpressible(names.join(' '))
  return groups
}
