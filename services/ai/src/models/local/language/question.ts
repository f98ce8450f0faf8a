import { meaningOf } from './vocabulary.ts'
import { fold, isFunctionWord, type Language, languageOf, type Word, wordsOf } from './words.ts'

/** The computation that a question asks for. */
export type Computation = 'count' | 'sum' | 'mean' | 'max' | 'min'

/** A question in the parts that the rules use. */
export interface Question {
  text: string
  language: Language
  /** Words with a meaning of their own, without those that name the computation. */
  words: Word[]
  computation: Computation | undefined
  /** True for `which … has the highest …`: the answer is a name, not only a number. */
  isRanking: boolean
  /** Number of entries of a ranking: `top 3`. */
  count: number
  isForecast: boolean
  /** Meanings of the words after `by`, `per`, `for each`, or after `which` of a ranking. */
  groupWords: string[]
  bounds: Bound[]
  period: Period | undefined
}

/** A limit of a number: `more than 500`. */
export interface Bound {
  operator: 'gt' | 'gte' | 'lt' | 'lte'
  value: number
}

/** A time range: ISO 8601, the end exclusive. */
export interface Period {
  from: string
  until: string
}

const computations: [Computation, RegExp][] = [
  ['mean', /\b(average|mean|on average|durchschnitt\w*|mittelwert|mittlere[rsn]?|im schnitt)\b/],
  ['count', /\b(how many|number of|count( of)?|wie viele|wieviele|anzahl( der)?)\b/],
  ['sum', /\b(total|sum( of)?|altogether|overall|combined|in all|summe( der)?|insgesamt|gesamt\w*|zusammen)\b/],
  [
    'max',
    /\b(highest|most( expensive)?|maximum|max|largest|biggest|greatest|longest|top|busiest|best|hochste\w*|grosste\w*|meiste\w*|maximal\w*|teuerste\w*|langste\w*)\b/,
  ],
  [
    'min',
    /\b(lowest|least( expensive)?|minimum|min|smallest|cheapest|fewest|shortest|quietest|niedrigste\w*|kleinste\w*|wenigste\w*|geringste\w*|minimal\w*|billigste\w*|gunstigste\w*|kurzeste\w*)\b/,
  ],
]

const rankingPattern = /\b(which|who|what|top|list|welche\w*|wer|was|wo|where|an welchem|on which|nenne|zeige)\b/
const forecastPattern =
  /\b(forecast\w*|predict\w*|prognos\w*|vorhersage\w*|will there be|expected? (?:next|in the next)|erwart\w*)\b/
const groupPattern =
  /\b(?:by|per|for each|for every|in each|of each|grouped by|broken down by|pro|je|nach|fur jede[nsr]?|in jede[mr]|fur jeden)\s+([\p{L}_]+)/gu
const rankedPattern = /\b(?:which|what|welche[rsnm]?|top(?:\s+\d+)?)\s+(?:\d+\s+)?([\p{L}_]+)/u

const numberPattern = String.raw`(\d{1,3}(?:[,.]\d{3})+|\d+(?:\.\d+)?)`
const boundPatterns: [Bound['operator'], RegExp][] = [
  [
    'gt',
    new RegExp(
      String.raw`\b(?:more than|over|above|greater than|exceeding|exceeds?|mehr als|uber|grosser als)\s+(?:eur|euro|€|\$)?\s*${numberPattern}`,
      'g',
    ),
  ],
  [
    'lt',
    new RegExp(
      String.raw`\b(?:less than|under|below|fewer than|cheaper than|weniger als|unter|kleiner als)\s+(?:eur|euro|€|\$)?\s*${numberPattern}`,
      'g',
    ),
  ],
  ['gte', new RegExp(String.raw`\b(?:at least|mindestens|no less than)\s+(?:eur|euro|€|\$)?\s*${numberPattern}`, 'g')],
  ['lte', new RegExp(String.raw`\b(?:at most|hochstens|no more than)\s+(?:eur|euro|€|\$)?\s*${numberPattern}`, 'g')],
]

/** Reads a question by fixed rules, in English and German. */
export function parseQuestion(text: string): Question {
  const plain = fold(text)
  const found = computations.filter(([, pattern]) => pattern.test(withoutBounds(plain))).map(([name]) => name)
  const extreme = found.find((name) => name === 'max' || name === 'min')
  const isRanking = extreme !== undefined && rankingPattern.test(plain)
  const removed = computations.reduce((rest, [, pattern]) => rest.replaceAll(new RegExp(pattern, 'g'), ' '), plain)
  const remaining = new Set(wordsOf(removed).map((word) => word.text))
  return {
    text,
    language: languageOf(text),
    words: wordsOf(text).filter((word) => remaining.has(fold(word.text)) && hasMeaning(word.text)),
    computation: found[0],
    isRanking,
    count: Number(
      /\btop\s+(\d{1,2})\b/.exec(plain)?.[1] ?? /\b(?:die|the)\s+(\d{1,2})\b/.exec(isRanking ? plain : '')?.[1] ?? 1,
    ),
    isForecast: forecastPattern.test(plain),
    groupWords: groupWordsOf(plain, isRanking),
    bounds: boundsOf(plain),
    period: periodOf(plain),
  }
}

/** `IT` is an abbreviation, `it` is not. */
const hasMeaning = (word: string): boolean => !isFunctionWord(word) || /^\p{Lu}{2,}$/u.test(word)

/** `at most 500` is no superlative. */
const withoutBounds = (plain: string): string => plain.replaceAll(/\b(?:at (?:most|least)|more than|less than)\b/g, ' ')

/** The order of a ranking, also where a mean or a count is ranked. */
export const extremeOf = (text: string): 'max' | 'min' | undefined => {
  const plain = fold(text)
  return computations.find(([name, pattern]) => (name === 'max' || name === 'min') && pattern.test(plain))?.[0] as
    | 'max'
    | 'min'
    | undefined // the names that the condition admits
}

function groupWordsOf(plain: string, isRanking: boolean): string[] {
  const named = [...plain.matchAll(groupPattern)].map(([, word = '']) => word)
  const ranked = isRanking ? (rankedPattern.exec(plain)?.[1] ?? '') : ''
  return [...named, ranked]
    .filter((word) => word !== '' && !isFunctionWord(word))
    .flatMap((word) => wordsOf(word.replaceAll('_', ' ')).map(({ stem }) => meaningOf(stem)))
}

const boundsOf = (plain: string): Bound[] =>
  boundPatterns.flatMap(([operator, pattern]) =>
    [...plain.matchAll(pattern)].map(([, digits = '']) => ({
      operator,
      value: Number(/^\d{1,3}([,.]\d{3})+$/.test(digits) ? digits.replaceAll(/[,.]/g, '') : digits),
    })),
  )

const monthNames = [
  ...['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'],
  ...['jan', 'feb', 'mar', 'apr', 'mai', 'jun', 'jul', 'aug', 'sep', 'okt', 'nov', 'dez'],
]
const monthWord = String.raw`(jan|feb|mar|apr|may|mai|jun|jul|aug|sep|oct|okt|nov|dec|dez)\p{L}*`

/** Returns the day, month or year that a question names. */
export function periodOf(plain: string): Period | undefined {
  const iso = /\b(20\d\d)-(\d\d)(?:-(\d\d))?\b/.exec(plain)
  if (iso !== null) return range(Number(iso[1]), Number(iso[2]), iso[3] === undefined ? undefined : Number(iso[3]))
  const dayFirst = new RegExp(
    String.raw`\b(\d{1,2})(?:\.|st|nd|rd|th)?\s+(?:of\s+)?${monthWord}\s+(20\d\d)\b`,
    'u',
  ).exec(plain)
  if (dayFirst !== null) return range(Number(dayFirst[3]), monthOf(dayFirst[2]), Number(dayFirst[1]))
  const monthFirst = new RegExp(String.raw`\b${monthWord}\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(20\d\d)\b`, 'u').exec(plain)
  if (monthFirst !== null) return range(Number(monthFirst[3]), monthOf(monthFirst[1]), Number(monthFirst[2]))
  const month = new RegExp(String.raw`\b${monthWord}\s+(20\d\d)\b`, 'u').exec(plain)
  if (month !== null) return range(Number(month[2]), monthOf(month[1]))
  const year = /\b(?:in|of|during|im jahr|im jahre|jahr|year|since|seit|for|fur)\s+(20\d\d)\b/.exec(plain)
  return year === null ? undefined : range(Number(year[1]))
}

const monthOf = (name = ''): number => (monthNames.indexOf(name.slice(0, 3)) % 12) + 1

function range(year: number, month?: number, day?: number): Period {
  const text = (date: Date) => date.toISOString().slice(0, 10)
  if (month === undefined) return { from: `${year}-01-01`, until: `${year + 1}-01-01` }
  if (day === undefined)
    return { from: text(new Date(Date.UTC(year, month - 1, 1))), until: text(new Date(Date.UTC(year, month, 1))) }
  return {
    from: text(new Date(Date.UTC(year, month - 1, day))),
    until: text(new Date(Date.UTC(year, month - 1, day + 1))),
  }
}
