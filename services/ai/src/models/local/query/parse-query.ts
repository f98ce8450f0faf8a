import { phrases } from '../language/phrases.ts'
import { formsOf, type Language, stemOf, type Word, wordsOfName } from '../language/words.ts'
import type { KnownSource } from '../tool-results.ts'
import { type Parts, requireAllUsed, requireOneReading } from './check-reading.ts'
import { isHeadcount, peopleWords } from './column-roles.ts'
import { minutesOfColumn, takeBounds, takeUnits } from './conditions/parse-amounts.ts'
import { crowdMeasure, groupsCompared, takeComparison } from './conditions/parse-comparison.ts'
import { takeGroupCondition } from './conditions/parse-group-condition.ts'
import { takeExistence, takeLeft, takeNumberedValues, takeValues } from './conditions/parse-values.ts'
import { coreOf } from './core-name.ts'
import { describeQuery } from './describe-query.ts'
import { Draft } from './draft.ts'
import { alternativesOf, eitherOf } from './either.ts'
import { joinFollowUps, type TaggedQuestion } from './follow-ups.ts'
import { copulas, functions, leads, negations, share, spending } from './grammar.ts'
import { type Measure, takeGroups, takeMeasure } from './parse-measure.ts'
import { buckets, columnOfQuestionWord, headcountOf, takeOrder } from './parse-order.ts'
import { isRate, isSpent } from './quantities.ts'
import { type Filters, type Query, Refusal } from './query.ts'
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
  const knowledge = { values, language, today }
  try {
    return readQuestion(question, source, knowledge)
  } catch (error) {
    const alternatives = error instanceof Refusal ? alternativesOf(question.text) : undefined
    if (alternatives === undefined) throw error
    return eitherOf(
      alternatives.map((text) => readQuestion({ ...question, text }, source, knowledge)),
      language,
    )
  }
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
  while (draft.take('(?<=[XB]\\d+ )(?:types?|kinds?|typ|art)') !== undefined);
  takeNameOfRecords(draft)
  takeHowLong(draft)
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
  const measure = bounded ?? takeMeasure(draft, order, isGrouped) ?? (isFullness ? fullness(draft) : spent(draft))
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
    isCompared,
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
  if (isShare) readAsShare(draft, query)
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

/** Returns true for `how much`, and for a number of people. */
const wantsTotal = (draft: Draft): boolean =>
  draft.left('N').length === 1 &&
  (draft.find('how much|wie viel') !== undefined ||
    draft.left('N').some((name) => /^(?:total|gesamt|summe)/i.test(draft.tag(name).text)) ||
    draft.left('N').some((name) => isHeadcount(draft.tag(name).options[0]?.field ?? '')))

/** Takes words of the name of the source that say nothing more: `booked a desk` of desk bookings, `spent on training`. */
function takeNameOfRecords(draft: Draft): void {
  const names = wordsOfName(draft.source.name).map(({ plain }) => plain)
  const object = '(?:books?|booked|reserved?|bucht|buchten?|gebucht) (?:(?:a|an|any|einen?) )?(X\\d+)'
  const tag = draft.find(object)?.[1]
  if (tag !== undefined && formsOf(draft.tag(tag).text, 'en').some((form) => names.includes(form))) draft.take(object)
  if (draft.find(spending) !== undefined) draft.take(`(?:on|for|fur) (?:${names.join('|')})`)
  // `How much revenue do we make`
  draft.take('(?<=(?:how much|wie viel) N\\d+ (?:(?:do|did|we) )*)(?:make|made|earn|machen|macht|machten)')
}

/** Takes `how long`, where a column of durations is named. */
function takeHowLong(draft: Draft): void {
  const isDuration = (field: string) => minutesOfColumn(field) !== undefined || /duration|dauer/i.test(field)
  if (draft.left('N').some((name) => draft.tag(name).options.every(({ field }) => isDuration(field))))
    draft.take('how long|wie lange')
  const [only, other] = draft.fieldsOfType('number').filter(isDuration)
  if (draft.left('N').length > 0 || only === undefined || other !== undefined) return
  if (draft.find(functions.mean) === undefined || draft.take('how long|wie lange') === undefined) return
  draft.take('take|takes|took|last|lasts|lasted|dauert|dauern|dauerte')
  draft.impliedNumber = only
}

/** Returns the total of the only amount of money, for `how much did we spend`. */
function spent(draft: Draft): Measure | undefined {
  const [only, other] = draft.fieldsOfType('number').filter(isSpent)
  if (draft.left('N').length > 0 || only === undefined || other !== undefined) return undefined
  if (draft.take(`(?<=(?:how much|wie viel) .*)(?:${spending})`) === undefined) return undefined
  return { form: 'aggregate', function: 'sum', field: only, alsoExtreme: false }
}

/** Takes values, states and what is missing, with the words that say nothing more. */
function takeConditions(
  draft: Draft,
  { measure, today, isYesNo }: Pick<Knowledge, 'today'> & Pick<Parts, 'measure' | 'isYesNo'>,
): void {
  if (draft.left('X').length === 0) draft.take('(?:only|just|all|every|nur|alle|aller)(?= (?:V\\d+ )*[SV]\\d)')
  draft.take('(?:work|works|working|based|located|arbeiten|arbeitet)(?= (?:in|at|for|bei|im) V\\d)')
  draft.take(
    `(?:uses?|used|books?|booked|visits?|visited|bucht|buchte|nutzt|benutzt\\w*|nutzten)(?= (?:(?:${leads}) )*V\\d)`,
  )
  draft.take('(?:work|works|arbeiten|arbeitet)(?= B\\d)')
  draft.take('(?<=we )(?:own|place|see|record)')
  draft.take(`(?:about|regarding|concerning|against|uber|gegen)(?= (?:(?:${leads}) )*V\\d)`)
  if (isYesNo) draft.take(`(?:anyone|anybody|someone|jemand|irgendjemand)(?= (?:(?:${leads}) )*V\\d)`)
  takeValues(draft, measure?.form === 'distinct' || draft.left('X').length > 0)
  takeLeft(draft, today.toISOString().slice(0, 10))
  takeExistence(draft)
  if (Object.values(draft.filters).some((value) => typeof value === 'object' && value.exists === false))
    draft.take('(?:to )?(?:anyone|anybody|someone|jemande?[mn]?)')
  // The state of a record is that of now, where it has one.
  if (Object.keys(draft.filters).length > 0)
    draft.take('(?:currently|right now|now|at the moment|derzeit|aktuell|momentan|gerade)')
}

/**
 * Returns the periods of `the average per day`, in place of groups: it may be that of the records or of their totals.
 * @throws Refusal if there are groups or an order too
 */
function takeAveragePeriod(
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

/** Marks the verb, or the records, between the conditions of the whole and those of the part. */
function markShare(draft: Draft): void {
  if (draft.take(`(?<=[SV]\\d+ .*)(?:${copulas})`, 'BE') === undefined)
    // The share of denied events in the depot is one of the events in the depot.
    draft.take('(?<= [VB]\\d+ (?:.* )?)(S\\d+)(?= .*[VBTR]\\d)', 'WHOLE $1')
}

/** Makes a share of a number: that of what has the conditions after the verb, or all conditions. */
function readAsShare(draft: Draft, query: Query): void {
  if (
    query.form !== 'aggregate' ||
    !/count|sum/.test(query.function) ||
    query.groupBy.length > 0 ||
    query.bucket !== undefined ||
    query.order !== undefined
  )
    throw new Refusal(draft.say.inexpressible(draft.say.share))
  Object.assign(
    query,
    { form: 'share' },
    Object.keys(query.partFilters).length > 0 ? {} : splitOfShare(draft, query.filters),
  )
  if (Object.keys(query.partFilters).length === 0) throw new Refusal(draft.say.inexpressible(draft.say.share))
}

/** Returns the conditions of the part. A period is of the whole, where there is another: `share of Acme in October`. */
function splitOfShare(draft: Draft, filters: Filters): Pick<Query, 'filters' | 'partFilters'> {
  const times = draft.fieldsOfType('timestamp')
  const entries = Object.entries(filters)
  const whole = entries.filter(
    ([field, value]) => times.includes(field) && typeof value === 'object' && value.exists === undefined,
  )
  if (whole.length === entries.length) return { partFilters: filters, filters: {} }
  return {
    partFilters: Object.fromEntries(entries.filter((entry) => !whole.includes(entry))),
    filters: Object.fromEntries(whole),
  }
}

/** Returns the number of people, of which the answer also says the average and the highest. */
function fullness(draft: Draft): Measure {
  const field = headcountOf(draft)
  if (field === undefined) throw draft.noNumber()
  return { form: 'aggregate', function: 'sum', field, alsoExtreme: false }
}

/**
 * Returns the number of records, or of people, as a search finds no times that come again.
 * @throws Refusal for other questions
 */
function countInstead(draft: Draft, query: Query): Query {
  const [field, other] = query.select
  const isOfPeople = field !== undefined && other === undefined && isHeadcount(field)
  const counted: Query = { ...query, form: 'aggregate', select: [], order: undefined }
  if (isOfPeople) return { ...counted, function: 'sum', field, isHeadcount: true }
  const isListed = draft.find('which|what|list|show|who|when|welche\\w*|zeige?|nenne|wer|wann') !== undefined
  if (field !== undefined || query.order !== undefined || isListed)
    throw new Refusal(draft.say.onlyComputed(describeQuery(counted, draft.say)))
  return counted
}

/** Returns the times of a query that were taken. */
const timesOf = ({ unresolved, recurring }: Draft): Pick<Query, 'unresolved' | 'recurring'> => ({
  unresolved,
  recurring,
})

/** Returns what is computed where no function is named: `hours by team`, `are there open tickets`. */
function impliedMeasure(draft: Draft, isComputed: boolean, isYesNo: boolean): Partial<Query> {
  if (!isComputed) return isYesNo && draft.left('XN').length === 0 ? { form: 'aggregate' } : {}
  const field = draft.takeNumber()
  const [names, other] = draft.left('X')
  const isOfPeople = names !== undefined && other === undefined && peopleWords.test(draft.tag(names).text.toLowerCase())
  if (field === undefined && isOfPeople && draft.take(names) !== undefined)
    return { form: 'aggregate', function: 'distinct', field: draft.field(names) }
  if (field === undefined) return { form: 'aggregate' }
  return { form: 'aggregate', function: isRate(field) ? 'mean' : 'sum', field }
}

/** Takes the columns that are asked for: `who is responsible`, `which vendor`, `when does it end`. */
function takeSelected(draft: Draft): string[] {
  const named = draft.left('XN').length > 0 ? undefined : columnOfQuestionWord(draft)
  if (named !== undefined) {
    // `Who borrowed it` asks for the borrower, and `borrowed` says nothing more.
    const verb = draft
      .left('D')
      .find((name) => stemOf(draft.tag(name).text) === stemOf(coreOf(named).core[0]?.plain ?? ''))
    if (verb !== undefined) draft.take(verb)
    return [named]
  }
  const tags = draft.left('XND')
  for (const name of tags) draft.take(name)
  if (tags.length === 0 && draft.find('when|wann') !== undefined) return [draft.takeTime()]
  return [...new Set(tags.map((name) => draft.field(name)))]
}
