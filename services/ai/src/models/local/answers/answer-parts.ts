import { isDeepStrictEqual } from 'node:util'
import { normalizeQuestion } from '../language/normalize-question.ts'
import type { Phrases } from '../language/phrases.ts'
import { type Word, wordsOf } from '../language/words.ts'
import { isRate } from '../query/quantities.ts'
import { type Query, Refusal } from '../query/query.ts'
import { answerQuery, numberOf } from './answer-query.ts'
import { type AnswerSteps, together } from './answer-steps.ts'
import { type Asked, queryOf, type Reading, rescore } from './answer-tables.ts'
import { formatValue } from './describe-record.ts'

const asking = 'how (?:many|much|long)|which|what|who|when|wie ?(?:viele?|lange)|welche[nmrs]?|was|wer|wann'
/** Two questions in one. */
const twoQuestions = new RegExp(String.raw`^(.*\S),? (?:and|und) ((?:${asking}) .*)$`, 'i')
/** The two sides of a comparison. */
const comparisons = [
  /^(.*\S),? (?:compared (?:to|with)|versus|vs\.?|im vergleich zu[mr]?|verglichen mit) (.*)$/i,
  /^\W*(?:compare|vergleiche?) (.*\S) (?:and|with|to|und|mit) (.*)$/i,
]
const change =
  '(?:grow|grown|increase[d]?|rise|risen|gone up|decrease[d]?|fall|fallen|drop(?:ped)?|gone down|change[d]?)'
const germanChange = '(?:gestiegen|gewachsen|gesunken|gefallen|zugenommen|abgenommen|zurückgegangen|verändert)'
/** Growth from one period to another, as subject, start and end. */
const changes = [
  new RegExp(
    `^(?:by )?how (?:many percent|much)(?: percent)? (?:did|do|does|has|have) (.*\\S) ${change} (?:from|between) (.*\\S) (?:to|and) (.*)$`,
    'i',
  ),
  /^(?:what (?:is|was) the )?(?:growth|increase|change|decrease)(?: rate)? (?:of|in) (.*\S) (?:from|between) (.*\S) (?:to|and) (.*)$/i,
  new RegExp(
    `^(?:um )?wie (?:viel|stark)(?: prozent)? (?:ist|sind|hat|haben) (.*\\S) (?:von|vom|zwischen) (.*\\S) (?:auf|zu[mr]?|bis|und) (.*\\S) ${germanChange}\\W*$`,
    'i',
  ),
]

/** Parts of a question, each as the turns of a conversation. */
interface Parts {
  turns: Word[][][]
  /** True for two that differ in one period or value. */
  isComparison: boolean
  /** True for the growth from one period to another. */
  isChange: boolean
}

/** Splits two questions in one, and the two sides of a comparison; undefined of a single question. */
export function partsOf(question: string): Parts | undefined {
  const [, first, second] = twoQuestions.exec(question) ?? []
  const wordsIn = (text: string) => wordsOf(normalizeQuestion(text))
  if (first !== undefined && second !== undefined)
    return { turns: [[wordsIn(first)], [wordsIn(second)]], isComparison: false, isChange: false }
  const [, one, other] = comparisons.map((pattern) => pattern.exec(question)).find((found) => found !== null) ?? []
  const [, subject, from, to] =
    changes
      .map((pattern) => pattern.exec(question.replaceAll('%', ' percent').replaceAll(/\s+/g, ' ')))
      .find(Boolean) ?? []
  const isOfChange = subject !== undefined && from !== undefined
  const [begin, end] = isOfChange ? [`${subject} in ${from}`, to] : [other && one, other]
  if (begin === undefined || end === undefined) return undefined
  const [opening, following] = [wordsIn(begin), wordsIn(`and ${end}`)]
  return { turns: [[opening], [opening, following]], isComparison: true, isChange: isOfChange }
}

/**
 * Answers each part on its own. A part that names no source is about that of the part before.
 * @throws Refusal if one has no answer, or if what is compared differs in more than one condition
 */
export function* answerParts(parts: Parts, readings: readonly Reading[], asked: Asked): AnswerSteps {
  const queries: Query[] = []
  for (const turns of parts.turns) {
    const words = turns.flat()
    const scored = rescore(readings, words, asked.language)
    const before = queries.at(-1)
    const isOwn = before === undefined || scored.some(({ isNamed }) => isNamed)
    const fitting = isOwn ? scored : scored.filter(({ source }) => source.id === before.source.id)
    const own = queryOf(fitting, { ...asked, words, turns })
    const query = isOwn ? own : withConditionsOf(before, own)
    queries.push(parts.isComparison ? asNumber(query) : query)
  }
  const [one, other] = queries
  const isComparable = (one: Query, other: Query) =>
    isSameShape(one, other) && (!parts.isChange || isOfTimes(one, other))
  if (parts.isComparison && one && other && !isComparable(one, other))
    throw new Refusal(asked.say.inexpressible(asked.say.several))
  const answers = yield* together(queries.map((query) => answerQuery(query, asked.say)))
  const numbers = parts.isComparison ? yield* together(queries.map((query) => numberOf(query, asked.say))) : []
  return [...answers, ...differenceOf(numbers, parts.isChange, asked.say)].join('\n')
}

const fieldsOf = ({ filters, unresolved }: Query): string[] => [
  ...Object.keys(filters),
  ...unresolved.map(({ field }) => field),
]

/** Adds the other conditions of the part before: `how many open tickets are in May and how many in June`. */
function withConditionsOf(before: Query, query: Query): Query {
  const known = fieldsOf(before)
  const own = fieldsOf(query)
  const isSame = before.form === query.form && before.function === query.function && before.field === query.field
  if (!isSame || own.length === 0 || !own.every((field) => known.includes(field))) return query
  const others = Object.entries(before.filters).filter(([field]) => !own.includes(field))
  return { ...query, filters: { ...Object.fromEntries(others), ...query.filters } }
}

/** Returns the number of records, which can be compared, in place of their list. */
const asNumber = (query: Query): Query =>
  query.form === 'records' && query.order === undefined && query.select.length < 2
    ? { ...query, form: 'aggregate', ...numberSelected(query) }
    : query

/** Returns the total of the only number that is read. */
const numberSelected = ({ select: [field], source }: Query): Partial<Query> => {
  const isNumber = source.fields.some(({ name, type }) => name === field && type === 'number')
  return field !== undefined && isNumber ? { function: isRate(field) ? 'mean' : 'sum', field, select: [] } : {}
}

/** States the difference of two numbers, and that of two periods in percent of the first. */
function differenceOf([one, other]: readonly (number | undefined)[], isChange: boolean, say: Phrases): string[] {
  if (one === undefined || other === undefined) return []
  if (!isChange) return [say.difference(formatValue(Math.abs(one - other)))]
  const signed = (value: number) => `${value > 0 ? '+' : ''}${formatValue(value)}`
  const percent = one > 0 ? signed(Number(((100 * (other - one)) / one).toFixed(1))) : ''
  return [say.change(formatValue(one), formatValue(other), signed(other - one), percent)]
}

/** Returns true if two queries are about two periods. */
const isOfTimes = (one: Query, other: Query): boolean =>
  one.unresolved.length > 0 ||
  one.source.fields.some(
    ({ name, type }) =>
      type === 'timestamp' &&
      one.filters[name] !== undefined &&
      !isDeepStrictEqual(one.filters[name], other.filters[name]),
  )

/** Returns true if two queries have conditions on the same columns: all orders are not compared with those of May. */
function isSameShape(one: Query, other: Query): boolean {
  const shapeOf = (query: Query) => {
    const { form, function: name, field, select, recurring, order } = query
    return JSON.stringify([form, name, field, select, order, recurring === undefined, fieldsOf(query).toSorted()])
  }
  return shapeOf(one) === shapeOf(other)
}
