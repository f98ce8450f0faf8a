export type FunctionName = 'count' | 'sum' | 'mean' | 'median' | 'max' | 'min' | 'distinct'
type Extreme = 'max' | 'min'

/** Returns words as a list of quotations. */
export const quote = (words: readonly string[]): string => words.map((word) => `“${word}”`).join(', ')

/** The parts of time by which records are grouped, as the tools name them. */
export type Bucket = 'day' | 'week' | 'month' | 'quarter' | 'year' | 'weekday' | 'hour_of_day'

const periods: Record<Bucket, string> = {
  day: 'day',
  week: 'week from Monday',
  month: 'month',
  quarter: 'quarter',
  year: 'year',
  weekday: 'day of the week',
  hour_of_day: 'hour of the day',
}

const nouns: Record<FunctionName, string> = {
  count: 'count',
  sum: 'total',
  mean: 'average',
  median: 'median',
  max: 'maximum',
  min: 'minimum',
  distinct: 'number of different values',
}

/** The sentences of answers to questions in English. */
export const english = {
  noAnswer: 'The data do not answer this question.',
  toolFailed: (tool: string, reason: string) => `I could not answer: ${tool} failed. ${reason}`,
  toolAnswer: (tool: string, output: string) => `${tool} returned: ${output}`,
  sources: (names: string) => `The data sources are: ${names}.`,
  noSources: 'There are no data sources.',
  variable: (name: string, value: string) => `${name} is ${value}`,
  secret: (name: string) => `The value of ${name} is secret and cannot be read.`,

  unknown: (words: readonly string[]) => `no column, value or rule says ${quote(words)}.`,
  didYouMean: (words: readonly string[]) => `Did you mean ${quote(words)}?`,
  nearest: (question: string) => `I can answer without it: ${question}.`,
  nearestPassage: (passage: string) => `The nearest passage: ${passage}`,
  notInTexts: (words: readonly string[]) => `no passage says ${quote(words)}.`,
  ambiguous: (word: string, readings: readonly string[]) =>
    `“${word}” can mean ${readings.join(' or ')}. Name one of them.`,
  ambiguousSource: (names: readonly string[]) =>
    `more than one data source fits: ${names.join(', ')}. Name one of them.`,
  inexpressible: (what: string) => `I cannot compute “${what}” by fixed rules.`,
  absent: (source: string) => `what has no record in ${source} is not in the data.`,
  noTime: (source: string) => `${source} has no column of times.`,
  noTimeOf: (state: string, field: string) =>
    `no column says when something was “${state}”; the only time is ${field}. Name it.`,
  noNumber: (source: string, fields: readonly string[]) =>
    `it names no column of numbers of ${source}${fields.length === 0 ? '' : ` (${fields.join(', ')})`}.`,
  noSum: (field: string) => `adding up ${field} has no meaning; ask for the average.`,
  averagePerPeriod: (field: string) =>
    `the average per period can be that of the records within each, or that of the totals of the periods. Ask for the total of ${field} per period, or for the average of ${field}.`,
  noSubject: 'it does not say what it is about. Each question must be complete.',
  noYear: (years: readonly string[]) => `the year is missing; there are records of ${years.join(', ')}.`,
  twoConditions: (field: string) => `it has two conditions on ${field}.`,
  tooMany: (total: string, fields: string) =>
    `${total} records match; ask for the total, the average or the highest ${fields}.`,
  time: 'the time',
  number: 'the number',
  total: 'the total',
  records: (source: string) => `the number of ${source}`,
  several: 'two computations at once',
  superlative: 'the highest of a computed number',
  share: 'share',
  different: 'different',
  textsDiffer: 'The texts say different things:',
  differentOf: (field: string) => `the number of different values of ${field}`,
  sumOf: (field: string) => `the total of ${field}`,

  did: {
    count: (source: string) => `counted ${source}`,
    distinct: (source: string, field: string) => `counted the different values of ${field} in ${source}`,
    sum: (source: string, field: string) => `added up ${field} of ${source}`,
    mean: (source: string, field: string) => `averaged ${field} of ${source}`,
    median: (source: string, field: string) => `took the median of ${field} of ${source}`,
    max: (source: string, field: string) => `took the highest ${field} of ${source}`,
    min: (source: string, field: string) => `took the lowest ${field} of ${source}`,
    records: (source: string, fields: string) => (fields === '' ? `listed ${source}` : `read ${fields} of ${source}`),
  },
  where: 'where',
  and: 'and',
  per: (fields: string) => `for each ${fields}`,
  part: (conditions: string) => `and of them those where ${conditions}`,
  withNumber: (bound: string) => `with a number ${bound}`,
  passing: (passing: number, groups: number, of: string) => `${passing} of ${groups} with records (${of})`,
  ordered: (direction: Extreme, field: string) => `${direction === 'max' ? 'highest' : 'lowest'} ${field} first`,
  is: 'is',
  isNot: 'is not',
  or: 'or',
  stillThere: 'still there',
  alsoEnded: (field: string) => `records whose ${field} is over are counted too`,
  weekday: (name: string) => name,
  onDays: (days: string) => `is on a ${days}`,
  hours: (from: string, until: string) => `is from ${from} until before ${until}`,
  extremes: ['the highest', 'the lowest'],
  periods: ['the hour', 'the day', 'the day of the week'],
  onlyComputed: (query: string) => `records on days of the week or at hours can be counted, not listed: ${query}.`,
  noHours: (field: string) => `${field} has days without a time.`,
  difference: (value: string) => `Difference: ${value}`,
  change: (from: string, to: string, difference: string, percent: string) =>
    `From ${from} to ${to}: ${difference}${percent === '' ? '' : ` (${percent} %)`}`,
  spread: (mean: string, max: string) =>
    `; a record has ${mean} on average and ${max} at most, and may count the same people again`,
  perPeriod: (mean: string, count: number, by: Bucket) =>
    `added up by ${periods[by]}, the average of the ${count} with records is ${mean}`,
  perWeekday: (what: string) => `${what}, divided by how often the day came`,
  week: (number: number) => `week ${number}`,
  daily: (value: string) => `${value} a day`,
  dataEnd: (field: string, last: string) => `the data end on ${last} (${field}), from which the period was counted`,
  dataEndBefore: (field: string, last: string) => `the data end on ${last} (${field}).`,
  buckets: periods,
  without: (field: string) => `no ${field}`,
  empty: 'is empty',
  filled: 'is filled',
  rows: (matched: number, read: number) => `${matched} of ${read} records`,
  incomplete: 'not all records were read, so the number is not that of all',
  ignored: (count: number) => `left out, as missing or not a number: ${count}`,
  none: 'No record matches',
  noGroup: 'None',
  value: (name: FunctionName, field: string, number: string) =>
    name === 'count' ? `The count is ${number}` : `The ${nouns[name]} of ${field} is ${number}`,
  distinct: (field: string, number: string) => `There are ${number} different values of ${field}`,
  distinctOf: (field: string, number: string) => `different values of ${field}: ${number}`,
  shareIs: (percent: string, part: string, whole: string) => `${percent} % (${part} of ${whole})`,
  best: (name: string, direction: Extreme, what: string, value: string) =>
    `${name} ${name.includes(', ') ? 'have' : 'has'} the ${direction === 'max' ? 'highest' : 'lowest'} ${what}: ${value}`,
  measure: (name: FunctionName, field: string) => (name === 'count' ? 'count' : `${nouns[name]} of ${field}`),
  single: (field: string) => `single ${field}`,
  shown: (shown: number, total: string) => `the first ${shown} of ${total}`,
  atLeast: (count: number) => `at least ${count}`,
  found: (total: string) => `${total} records`,

  forecastStarted: 'The forecast has not ended yet. Read it again in a moment.',
  forecast: (total: string, steps: number, peak: string) =>
    `The forecast of ${steps} steps adds up to ${total}; its peak is ${peak}`,
  forecastOf: (field: string, source: string) => `forecast ${field} of ${source}`,
}

export type Phrases = typeof english
