import type { Parts } from '../check-reading.ts'
import { isHeadcount, peopleWords } from '../column-roles.ts'
import { describeQuery } from '../describe-query.ts'
import type { Draft } from '../draft.ts'
import { buckets, functions, spending } from '../grammar.ts'
import { areCosts, headcountOf } from '../order/order-column.ts'
import { isRate, isSpent, minutesOfColumn } from '../quantities.ts'
import { type Query, Refusal } from '../query.ts'
import type { Measure } from './parse-measure.ts'

/** Returns what is computed where no function is named: `hours by team`, `are there open tickets`. */
export function impliedMeasure(draft: Draft, isComputed: boolean, isYesNo: boolean): Partial<Query> {
  if (!isComputed) return isYesNo && draft.left('XN').length === 0 ? { form: 'aggregate' } : {}
  const field = draft.takeNumber()
  const [names, other] = draft.left('X')
  const isOfPeople = names !== undefined && other === undefined && peopleWords.test(draft.tag(names).text.toLowerCase())
  if (field === undefined && isOfPeople && draft.take(names) !== undefined)
    return { form: 'aggregate', function: 'distinct', field: draft.field(names) }
  if (field === undefined) return { form: 'aggregate' }
  return { form: 'aggregate', function: isRate(field) ? 'mean' : 'sum', field }
}

/** Takes `how long`, where a column of durations is named. */
export function takeHowLong(draft: Draft): void {
  const isDuration = (field: string) => minutesOfColumn(field) !== undefined || /duration|dauer/i.test(field)
  if (draft.left('N').some((name) => draft.tag(name).options.every(({ field }) => isDuration(field))))
    draft.take('(?:how long|wie lange)(?: (?:does|did) it take(?: to)?| dauerte? es)?')
  const [only, other] = draft.fieldsOfType('number').filter(isDuration)
  if (draft.left('N').length > 0 || only === undefined || other !== undefined) return
  if (draft.find(functions.mean) === undefined || draft.take('how long|wie lange') === undefined) return
  draft.take('take|takes|took|last|lasts|lasted|dauert|dauern|dauerte')
  draft.impliedNumber = only
}

/** Returns true for `how much`, and for a number of people. */
export const wantsTotal = (draft: Draft): boolean =>
  draft.left('N').length === 1 &&
  (draft.find('how much|wie viel') !== undefined ||
    draft.left('N').some((name) => /^(?:total|gesamt|summe)/i.test(draft.tag(name).text)) ||
    draft.left('N').some((name) => isHeadcount(draft.tag(name).options[0]?.field ?? '')))

/** Words of questions about records or people, not about their total. */
const listed =
  'which|list|show|who|whose|whom|where|when|any|welche\\w*|zeige?|nenne|wer|wessen|wem|wen|wo|wann|irgendwelche'

/** Returns the total of the only amount of money, for `how much did we spend` and `spend by country`. */
export function spent(draft: Draft, isYesNo: boolean): Measure | undefined {
  const [only, other] = draft.fieldsOfType('number').filter(isSpent)
  if (draft.left('N').length > 0 || only === undefined || other !== undefined) return undefined
  const asked = `(?<=(?:how much|wie viel|what|was) .*)(?:${spending})`
  const named =
    '(?:total )?(?:spend|spending|expenses|ausgaben)(?= (?:·|by|per|for|in|on|of|je|pro|nach|fur|im|T\\d+) )'
  const isOther = isYesNo || draft.find(`${functions.count}|${listed}`) !== undefined
  if (draft.take(`${asked}|${named}`) === undefined && (isOther || !areCosts(draft))) return undefined
  draft.impliedNumber = only
  return { form: 'aggregate', function: 'sum', field: only, alsoExtreme: false }
}

/** Returns the number of people, of which the answer also says the average and the highest. */
export function fullness(draft: Draft): Measure {
  const field = headcountOf(draft)
  if (field === undefined) throw draft.noNumber()
  return { form: 'aggregate', function: 'sum', field, alsoExtreme: false }
}

/**
 * Returns the periods of `the average per day`, in place of groups: it may be that of the records or of their totals.
 * @throws Refusal if there are groups or an order too
 */
export function takeAveragePeriod(
  draft: Draft,
  {
    text,
    groups,
    measure,
    order,
  }: Pick<Parts, 'text' | 'measure' | 'order'> & { groups: Pick<Query, 'groupBy' | 'bucket'> },
): Query['bucket'] {
  const { bucket } = groups
  const isPerPeriod =
    new RegExp(` (?:per|pro|je|each|every|jede[nmrs]?) (?:${buckets}) `).test(text) &&
    !['weekday', 'hour_of_day'].includes(bucket?.by ?? '')
  const isOfNumber = isPerPeriod && measure?.function === 'mean' && !isRate(measure.field ?? '')
  if (!draft.isAverageCount && (!isOfNumber || groups.groupBy.length > 0)) return undefined
  if (bucket === undefined || !isPerPeriod || order !== undefined || groups.groupBy.length > 0)
    throw new Refusal(draft.say.averagePerPeriod(measure?.field ?? draft.source.name))
  groups.bucket = undefined
  return bucket
}

/**
 * Returns the number of records, or of people, as a search finds no times that come again.
 * @throws Refusal for other questions
 */
export function countInstead(draft: Draft, query: Query): Query {
  const [field, other] = query.select
  const isOfPeople = field !== undefined && other === undefined && isHeadcount(field)
  const counted: Query = { ...query, form: 'aggregate', select: [], order: undefined }
  if (isOfPeople) return { ...counted, function: 'sum', field, isHeadcount: true }
  const isListed = draft.find('which|what|list|show|who|when|welche\\w*|zeige?|nenne|wer|wann') !== undefined
  if (field !== undefined || query.order !== undefined || isListed)
    throw new Refusal(draft.say.onlyComputed(describeQuery(counted, draft.say)))
  return counted
}
