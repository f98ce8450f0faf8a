import { meaningsOfName } from './language/matching.ts'
import { type Computation, extremeOf, type Question } from './language/question.ts'
import { meaningOf } from './language/vocabulary.ts'
import { isFunctionWord, wordsOf } from './language/words.ts'
import { linkValues } from './link-values.ts'
import { fieldNamed, mentionedFields, nameScore, sourceScore } from './score-fields.ts'
import type { KnownRecord, KnownSource, ToolOutcome } from './tool-results.ts'

type TimeBucket = 'day' | 'week' | 'month' | 'year'

/** The computation that answers a question from one source. */
export interface Plan {
  source: KnownSource
  /** The computation; `records`: the records themselves are listed. */
  kind: 'aggregate' | 'records'
  function: Computation
  field: string | undefined
  groupBy: string[]
  bucket: { field: string; by: TimeBucket } | undefined
  filters: Record<string, unknown>
  extreme: 'max' | 'min' | undefined
  /** True if the answer is the number of groups: `how many buildings`. */
  countsGroups: boolean
}

interface Evidence {
  sources: readonly KnownSource[]
  records: readonly KnownRecord[]
  search: ToolOutcome | undefined
}

/** Returns how to compute the answer; undefined if the question does not fit the columns of any source. */
export function planComputation(question: Question, { sources, records, search }: Evidence): Plan | undefined {
  const candidates = sources
    .map((source) => {
      const linked = linkValues(question, source, records, search)
      return { source, linked, score: sourceScore(source, question) + 2 * Object.keys(linked).length }
    })
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
  for (const { source, linked } of candidates) {
    const plan = planFor(question, source, linked)
    if (plan !== undefined) return plan
  }
  return undefined
}

function planFor(question: Question, source: KnownSource, linked: Record<string, unknown>): Plan | undefined {
  const { words, computation, isRanking, bounds, period } = question
  const [mentioned] = mentionedFields(source, words, ['number'])
  const numbers = source.fields.filter(({ type }) => type === 'number')
  const isMentioned = Object.keys(linked).length > 0 || nameScore(source.name, words) > 0
  const measure = mentioned ?? (isMentioned && numbers.length === 1 ? numbers[0] : undefined)
  const time = timeField(source, question)
  const filters: Record<string, unknown> = { ...linked }
  if (bounds.length > 0) {
    if (measure === undefined) return undefined
    filters[measure.name] = Object.fromEntries(bounds.map(({ operator, value }) => [operator, value]))
  }
  if (period !== undefined && time !== undefined) filters[time] = { gte: period.from, lt: period.until }
  const extreme = isRanking ? extremeOf(question.text) : undefined
  const base = { source, filters, extreme, countsGroups: false, bucket: undefined, groupBy: [] as string[] }
  const groups = groupsOf(question, source, time, bounds.length > 0 ? undefined : measure?.name)
  if (computation === undefined)
    return (bounds.length > 0 || (period !== undefined && time !== undefined)) && isMentioned
      ? { ...base, kind: 'records', function: 'count', field: measure?.name }
      : undefined
  const ranked = { mentioned: mentioned?.name, measure: measure?.name }
  // `the highest number of visitors` ranks visitors; `the highest number of contracts` counts.
  const countsColumn =
    mentioned !== undefined && countedWords(question).some((noun) => meaningsOfName(mentioned.name).includes(noun))
  if (computation === 'count' && extreme !== undefined && countsColumn)
    return planRanking(question, base, groups, ranked)
  if (computation === 'count') return planCount(question, base, groups, mentioned?.name)
  if (extreme !== undefined && computation === extreme) return planRanking(question, base, groups, ranked)
  if (measure === undefined) return undefined
  return { ...base, ...groups, kind: 'aggregate', function: computation, field: measure.name }
}

type Base = Pick<Plan, 'source' | 'filters' | 'extreme' | 'countsGroups' | 'bucket' | 'groupBy'>
type Groups = Pick<Plan, 'groupBy' | 'bucket'>

/** Counts records, adds up a column (`how many visitors`), or counts the values of one (`how many buildings`). */
function planCount(question: Question, base: Base, groups: Groups, numeric: string | undefined): Plan | undefined {
  const { source, filters } = base
  const nouns = countedWords(question)
  const isGrouped = groups.groupBy.length > 0 || groups.bucket !== undefined
  if (
    numeric !== undefined &&
    question.bounds.length === 0 &&
    nouns.some((noun) => meaningsOfName(numeric).includes(noun))
  )
    return { ...base, ...groups, kind: 'aggregate', function: 'sum', field: numeric }
  const rows: Plan = { ...base, ...groups, kind: 'aggregate', function: 'count', field: undefined }
  const namesOfSource = meaningsOfName(source.name)
  if (nouns.some((noun) => namesOfSource.includes(noun))) return rows
  const counted = nouns.map((noun) => fieldNamed(source, noun, ['string'])).find((field) => field !== undefined)
  if (counted !== undefined && !isGrouped) return { ...rows, groupBy: [counted.name], countsGroups: true }
  return Object.keys(filters).length > 0 && nameScore(source.name, question.words) > 0 ? rows : undefined
}

/** Ranks groups (`which category has the most …`) or records (`which contract has the highest …`). */
function planRanking(
  { text, words }: Question,
  base: Base,
  groups: Groups,
  { mentioned, measure }: { mentioned: string | undefined; measure: string | undefined },
): Plan | undefined {
  const isGrouped = groups.groupBy.length > 0 || groups.bucket !== undefined
  if (isGrouped) {
    // `the most contracts` counts records; `the busiest` means the only number there is.
    const field = mentioned ?? (nameScore(base.source.name, words) > 0 ? undefined : measure)
    if (field === undefined) return { ...base, ...groups, kind: 'aggregate', function: 'count', field }
    return { ...base, ...groups, kind: 'aggregate', function: ratePattern.test(field) ? 'mean' : 'sum', field }
  }
  if (measure === undefined) return undefined
  const filters = { ...base.filters, [measure]: base.filters[measure] ?? { exists: true } }
  return { ...base, filters, kind: 'records', function: extremeOf(text) ?? 'max', field: measure }
}

/** Adding these up has no meaning. */
const ratePattern = /rate|ratio|percent|share|average|avg|score|temperature|quote|anteil|prozent/i

/** The meanings of the words after `how many`, up to the first function word: at most three. */
function countedWords({ text }: Question): string[] {
  const after = wordsOf(/(?:how many|number of|count of|wie ?viele|anzahl(?: der)?)\s+(.+)/is.exec(text)?.[1] ?? '')
  const end = after.findIndex((word) => isFunctionWord(word.text))
  return after
    .slice(0, Math.min(end === -1 ? maxCountedWords : end, maxCountedWords))
    .map(({ stem }) => meaningOf(stem))
}

const maxCountedWords = 3

const bucketWords: Record<string, TimeBucket> = { day: 'day', week: 'week', month: 'month', year: 'year' }

function groupsOf(
  { groupWords, isRanking }: Question,
  source: KnownSource,
  time: string | undefined,
  measure: string | undefined,
): Groups {
  const groupBy: string[] = []
  for (const meaning of groupWords) {
    const by = bucketWords[meaning]
    // The month of `monthly_cost` is no group.
    if (by !== undefined && measure !== undefined && meaningsOfName(measure).includes(meaning)) continue
    if (by !== undefined && time !== undefined) return { groupBy, bucket: { field: time, by } }
    const field = fieldNamed(source, meaning, ['string', 'boolean'])
    const isRecord = isRanking && meaningsOfName(source.name).includes(meaning)
    if (field !== undefined && !isRecord && groupBy.length < 2 && !groupBy.includes(field.name))
      groupBy.push(field.name)
  }
  return { groupBy, bucket: undefined }
}

/** Returns the field of times that the question means: the one it mentions, or else the first. */
function timeField(source: KnownSource, { words }: Question): string | undefined {
  const [mentioned] = mentionedFields(source, words, ['timestamp'])
  return (mentioned ?? source.fields.find(({ type }) => type === 'timestamp'))?.name
}
