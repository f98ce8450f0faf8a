import { phrases } from '../language/phrases.ts'
import type { Language, Word } from '../language/words.ts'
import type { KnownSource } from '../tool-results.ts'
import { requireAllUsed, requireOneReading } from './check-reading.ts'
import { isHeadcount } from './column-roles.ts'
import { takeBounds, takeUnits } from './conditions/parse-amounts.ts'
import { crowdMeasure, groupsCompared, takeComparison } from './conditions/parse-comparison.ts'
import { takeConditions, takeGroupCondition, takeNameOfRecords, takeSelected } from './conditions/parse-conditions.ts'
import { takeNumberedValues } from './conditions/parse-values.ts'
import { Draft } from './draft.ts'
import { joinFollowUps, type TaggedQuestion } from './follow-ups.ts'
import { functions, leads, negations, share } from './grammar.ts'
import {
  countInstead,
  fullness,
  impliedMeasure,
  spent,
  takeAveragePeriod,
  takeHowLong,
  wantsTotal,
} from './measures/implied-measure.ts'
import { takeGroups, takeMeasure } from './measures/parse-measure.ts'
import { markShare, readAsShare } from './measures/parse-share.ts'
import { takeOrder } from './order/parse-order.ts'
import { type Query, Refusal } from './query.ts'
import type { KnownValue } from './tags/tag.ts'
import { tagWords } from './tags/tag-words.ts'
import { takeOverdue, takeStillThere, takeTimes } from './times/parse-times.ts'
import { takeRecurrences } from './times/recurrences.ts'
import { takeTimeRanges } from './times/time-ranges.ts'

interface Knowledge {
  values: readonly KnownValue[]
  language: Language
  today: Date
}

/**
 * Reads a question about one source. Each word becomes a part of the query, or changes nothing about the answer.
 *
 * @param turns the words of the question, and of those that followed it
 * @throws Refusal if a word is left over, or if the question can be read in two ways
 */
export function parseQuery(
  turns: readonly (readonly Word[])[],
  source: KnownSource,
  { values, language, today }: Knowledge,
): Query {
  const tagged = turns.map((words) => {
    const { text: named, tags } = tagWords(words, source, values, language)
    const { text: dated, ranges } = takeTimeRanges(named, today)
    return { tags, ranges, ...takeRecurrences(dated, language) }
  })
  const question = joinFollowUps(tagged, phrases[language])
  return readQuestion(question, source, { values, language, today })
}

/**
 * Reads a tagged question. Longer than most functions, because its steps take words from each other, so that their
 * order is read in one place.
 */
function readQuestion(
  { text, ...parts }: TaggedQuestion,
  source: KnownSource,
  { values, language, today }: Knowledge,
): Query {
  const draft = new Draft(text, { ...parts, values, source, language })
  const isYesNo = isYesNoQuestion(text, language)
  // `Fuel type` of a column `fuel`
  while (draft.take('(?<=[XB]\\d+ )(?:types?|kinds?|typ|art)|(?<=D\\d+ )(?:dates?|datum)') !== undefined);
  draft.take('(?:single|individual|einzelne[nrs]?)(?= S\\d)')
  // `Stehen in München` says where records are; without a place it may be a state.
  draft.take(`(?:stehen|steht|befinde[nt] sich)(?= (?:in|im|auf|am|an) (?:(?:${leads}) )*V\\d)`)
  takeNameOfRecords(draft)
  takeHowLong(draft)
  // `How many sqm do we rent`, of a column of rents too
  if (draft.left('N').length > 1) draft.take('(?<=(?:do|did) (?:we|they) )N\\d+')
  takeUnits(draft)
  const isFullness = draft.take('how (?:busy|full|crowded)|wie (?:voll|leer)', 'FULL') !== undefined
  const isShare = draft.take(share) !== undefined
  if (isShare) markShare(draft)
  const comparison = takeComparison(draft)
  const isCompared = comparison !== undefined
  const bounded = takeGroupCondition(draft)
  takeNumberedValues(draft, values)
  const isBounded = takeBounds(draft)
  takeOverdue(draft, today.toISOString().slice(0, 10))
  if (draft.find(`(?:${negations}) (?:(?:${leads}|V\\d+) )*S\\d+`) !== undefined)
    throw new Refusal(draft.say.absent(source.name))
  takeStillThere(draft, today.toISOString().slice(0, 10))
  const time = takeTimes(draft)
  const order = bounded === undefined ? takeOrder(draft) : undefined
  if (order !== undefined) draft.take('ever|jemals')
  const groups = takeGroups(draft, order, time)
  const isGrouped = groups.groupBy.length > 0 || groups.bucket !== undefined
  const money = order === undefined && !isFullness ? spent(draft, isYesNo) : undefined
  const measure = bounded ?? takeMeasure(draft, order, isGrouped) ?? (isFullness ? fullness(draft) : money)
  const averagePer = takeAveragePeriod(draft, { text, groups, measure, order })
  requireOneReading(draft, { text, today, order, measure, isYesNo, isBounded })
  takeConditions(draft, { measure, today, isYesNo })
  const { order: compared, ...sides } = comparison === undefined ? {} : groupsCompared(draft, comparison, time)
  if (isCompared && (isGrouped || order !== undefined)) throw new Refusal(draft.say.inexpressible('than'))
  Object.assign(groups, sides)
  if (bounded !== undefined && (isGrouped || isCompared || isShare || isYesNo))
    throw new Refusal(draft.say.inexpressible(draft.say.several))
  if (bounded !== undefined) Object.assign(groups, { groupBy: bounded.groupBy, bucket: bounded.bucket })
  const shared = {
    source,
    filters: draft.filters,
    partFilters: draft.partFilters,
    ...groups,
    ...timesOf(draft),
    groupCondition: bounded?.condition,
    isHeadcount: false,
    isDifferent: new RegExp(` (?:${functions.distinct}) `).test(text),
    isCompared,
    missing: draft.missing,
    isInHours: draft.isInHours(),
    isWhen: order?.isWhen === true,
    averagePer,
  }
  const records = { form: 'records', function: 'count', field: undefined, alsoExtreme: false } as const
  const implied = () =>
    comparison?.isCrowded === true
      ? crowdMeasure(draft)
      : impliedMeasure(draft, isGrouped || isCompared || isShare, isYesNo)
  const isOrdered = order !== undefined && (order.target !== 'value' || order.field === undefined)
  const query: Query = {
    wantsTotal: wantsTotal(draft),
    ...shared,
    ...records,
    select: [],
    order: isOrdered ? { direction: order.direction, count: order.count } : compared,
    ...(order?.target === 'records' ? { field: order.field } : measureOf(measure ?? implied())),
  }
  query.isHeadcount =
    query.function === 'sum' && isHeadcount(query.field ?? '') && !isGrouped && !isCompared && bounded === undefined
  if (isShare) readAsShare(draft, query, / [SX]\d+ /.test(text))
  if (order?.target === 'records' && (order.field === undefined || measure !== undefined))
    throw new Refusal(draft.say.inexpressible(draft.say.superlative))
  if (query.form === 'records' && order === undefined) query.select = takeSelected(draft)
  requireAllUsed(draft, query)
  if (query.recurring !== undefined && query.form === 'records') return countInstead(draft, query)
  return query
}

const measureOf = ({ form, function: name, field, alsoExtreme }: Partial<Query>): Partial<Query> => ({
  ...(form === undefined ? {} : { form, field }),
  ...(name === undefined ? {} : { function: name }),
  ...(alsoExtreme === undefined ? {} : { alsoExtreme }),
})

const isYesNoQuestion = (text: string, language: Language): boolean =>
  !(language === 'de' && text.startsWith(' was ')) &&
  /^ (?:are|is|was|were|do|does|did|has|have|gibt|ist|sind|war|waren|hat|haben) /.test(text)

/** Returns the times of a query that were taken. */
const timesOf = ({ unresolved, recurring }: Draft): Pick<Query, 'unresolved' | 'recurring'> => ({
  unresolved,
  recurring,
})
