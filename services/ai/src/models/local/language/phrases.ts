import type { Language } from './words.ts'

type FunctionName = 'count' | 'sum' | 'mean' | 'median' | 'max' | 'min' | 'distinct'
type Extreme = 'max' | 'min'

const quote = (words: readonly string[]): string => words.map((word) => `“${word}”`).join(', ')

/** The parts of time by which records are grouped, as the tools name them. */
export type Bucket = 'day' | 'week' | 'month' | 'quarter' | 'year' | 'weekday' | 'hour_of_day'

const periodNames: Record<Language, Record<Bucket, string>> = {
  en: {
    day: 'day',
    week: 'week from Monday',
    month: 'month',
    quarter: 'quarter',
    year: 'year',
    weekday: 'day of the week',
    hour_of_day: 'hour of the day',
  },
  de: {
    day: 'Tag',
    week: 'Woche ab Montag',
    month: 'Monat',
    quarter: 'Quartal',
    year: 'Jahr',
    weekday: 'Wochentag',
    hour_of_day: 'Stunde',
  },
}

/** The sentences of answers, in the language of the question. */
const en = {
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
    `added up by ${periodNames.en[by]}, the average of the ${count} with records is ${mean}`,
  perWeekday: (what: string) => `${what}, divided by how often the day came`,
  week: (number: number) => `week ${number}`,
  daily: (value: string) => `${value} a day`,
  dataEnd: (field: string, last: string) => `the data end on ${last} (${field}), from which the period was counted`,
  dataEndBefore: (field: string, last: string) => `the data end on ${last} (${field}).`,
  buckets: periodNames.en,
  empty: 'is empty',
  filled: 'is filled',
  rows: (matched: number, read: number) => `${matched} of ${read} records`,
  incomplete: 'not all records were read, so the number is not that of all',
  ignored: (count: number) => `left out, as missing or not a number: ${count}`,
  none: 'No record matches',
  noGroup: 'None',
  value: (name: FunctionName, field: string, number: string) =>
    name === 'count' ? `The count is ${number}` : `The ${nouns.en[name]} of ${field} is ${number}`,
  distinct: (field: string, number: string) => `There are ${number} different values of ${field}`,
  distinctOf: (field: string, number: string) => `different values of ${field}: ${number}`,
  shareIs: (percent: string, part: string, whole: string) => `${percent} % (${part} of ${whole})`,
  best: (name: string, direction: Extreme, what: string, value: string) =>
    `${name} ${name.includes(', ') ? 'have' : 'has'} the ${direction === 'max' ? 'highest' : 'lowest'} ${what}: ${value}`,
  measure: (name: FunctionName, field: string) => (name === 'count' ? 'count' : `${nouns.en[name]} of ${field}`),
  single: (field: string) => `single ${field}`,
  shown: (shown: number, total: string) => `the first ${shown} of ${total}`,
  atLeast: (count: number) => `at least ${count}`,
  found: (total: string) => `${total} records`,

  forecastStarted: 'The forecast has not ended yet. Read it again in a moment.',
  forecast: (total: string, steps: number, peak: string) =>
    `The forecast of ${steps} steps adds up to ${total}; its peak is ${peak}`,
  forecastOf: (field: string, source: string) => `forecast ${field} of ${source}`,
}

export type Phrases = typeof en

const de: Phrases = {
  noAnswer: 'Die Daten beantworten diese Frage nicht.',
  toolFailed: (tool, reason) => `Keine Antwort möglich: ${tool} ist fehlgeschlagen. ${reason}`,
  toolAnswer: (tool, output) => `${tool} ergab: ${output}`,
  sources: (names) => `Die Datenquellen sind: ${names}.`,
  noSources: 'Es gibt keine Datenquellen.',
  variable: (name, value) => `${name} ist ${value}`,
  secret: (name) => `Der Wert von ${name} ist geheim und kann nicht gelesen werden.`,

  unknown: (words) => `keine Spalte, kein Wert und keine Regel sagt ${quote(words)}.`,
  didYouMean: (words) => `Vielleicht ${quote(words)}?`,
  nearest: (question) => `Ohne das kann ich antworten: ${question}.`,
  nearestPassage: (passage) => `Die nächste Stelle: ${passage}`,
  notInTexts: (words) => `keine Stelle sagt ${quote(words)}.`,
  ambiguous: (word, readings) => `„${word}“ kann ${readings.join(' oder ')} heißen. Bitte eines davon nennen.`,
  ambiguousSource: (names) => `mehrere Datenquellen passen: ${names.join(', ')}. Bitte eine davon nennen.`,
  inexpressible: (what) => `„${what}“ kann ich mit festen Regeln nicht berechnen.`,
  absent: (source) => `was keinen Datensatz in ${source} hat, steht nicht in den Daten.`,
  noTime: (source) => `${source} hat keine Spalte mit Zeiten.`,
  noTimeOf: (state, field) =>
    `keine Spalte sagt, wann etwas „${state}“ war; die einzige Zeit ist ${field}. Bitte sie nennen.`,
  noNumber: (source, fields) =>
    `sie nennt keine Spalte mit Zahlen aus ${source}${fields.length === 0 ? '' : ` (${fields.join(', ')})`}.`,
  noSum: (field) => `${field} zu addieren ergibt keinen Sinn; möglich ist der Durchschnitt.`,
  averagePerPeriod: (field) =>
    `der Durchschnitt je Zeitraum kann der der Datensätze darin oder der der Summen der Zeiträume sein. Bitte nach der Summe von ${field} je Zeitraum oder nach dem Durchschnitt von ${field} fragen.`,
  noSubject: 'sie sagt nicht, worum es geht. Jede Frage muss vollständig sein.',
  noYear: (years) => `das Jahr fehlt; es gibt Datensätze aus ${years.join(', ')}.`,
  twoConditions: (field) => `sie hat zwei Bedingungen für ${field}.`,
  tooMany: (total, fields) =>
    `${total} Datensätze passen; möglich ist die Summe, der Durchschnitt oder der höchste Wert von ${fields}.`,
  time: 'die Zeit',
  number: 'die Zahl',
  total: 'die Summe',
  records: (source) => `die Anzahl von ${source}`,
  several: 'zwei Berechnungen zugleich',
  superlative: 'den höchsten Wert einer berechneten Zahl',
  share: 'Anteil',
  different: 'verschiedene',
  textsDiffer: 'Die Texte sagen Verschiedenes:',
  differentOf: (field) => `die Anzahl verschiedener Werte von ${field}`,
  sumOf: (field) => `die Summe von ${field}`,

  did: {
    count: (source) => `gezählt: ${source}`,
    distinct: (source, field) => `gezählt: verschiedene Werte von ${field} in ${source}`,
    sum: (source, field) => `addiert: ${field} aus ${source}`,
    mean: (source, field) => `gemittelt: ${field} aus ${source}`,
    median: (source, field) => `Median von ${field} aus ${source}`,
    max: (source, field) => `höchster Wert von ${field} aus ${source}`,
    min: (source, field) => `niedrigster Wert von ${field} aus ${source}`,
    records: (source, fields) => (fields === '' ? `aufgelistet: ${source}` : `gelesen: ${fields} aus ${source}`),
  },
  where: 'wo',
  and: 'und',
  per: (fields) => `je ${fields}`,
  part: (conditions) => `und davon die, wo ${conditions}`,
  withNumber: (bound) => `mit einer Zahl ${bound}`,
  passing: (passing, groups, of) => `${passing} von ${groups} mit Datensätzen (${of})`,
  ordered: (direction, field) => `${direction === 'max' ? 'höchste' : 'niedrigste'} ${field} zuerst`,
  is: 'ist',
  isNot: 'ist nicht',
  or: 'oder',
  stillThere: 'noch da',
  alsoEnded: (field) => `auch Datensätze, deren ${field} vorbei ist`,
  weekday: (name) => germanDays[name] ?? name,
  onDays: (days) => `ein ${days} ist`,
  hours: (from, until) => `von ${from} bis vor ${until} Uhr ist`,
  extremes: ['den höchsten', 'den niedrigsten'],
  periods: ['die Stunde', 'den Tag', 'den Wochentag'],
  onlyComputed: (query) => `Datensätze an Wochentagen oder zu Stunden lassen sich zählen, nicht auflisten: ${query}.`,
  noHours: (field) => `${field} hat Tage ohne Uhrzeit.`,
  difference: (value) => `Unterschied: ${value}`,
  change: (from, to, difference, percent) =>
    `Von ${from} auf ${to}: ${difference}${percent === '' ? '' : ` (${percent} %)`}`,
  spread: (mean, max) =>
    `; ein Datensatz hat im Schnitt ${mean} und höchstens ${max}, und kann dieselben Personen noch einmal zählen`,
  perPeriod: (mean, count, by) =>
    `je ${periodNames.de[by]} addiert ist der Durchschnitt der ${count} mit Datensätzen ${mean}`,
  perWeekday: (what) => `${what}, geteilt durch die Zahl der Tage`,
  week: (number) => `KW ${number}`,
  daily: (value) => `${value} am Tag`,
  dataEnd: (field, last) => `die Daten enden am ${last} (${field}), von dort wurde gerechnet`,
  dataEndBefore: (field, last) => `die Daten enden am ${last} (${field}).`,
  buckets: periodNames.de,
  empty: 'ist leer',
  filled: 'ist ausgefüllt',
  rows: (matched, read) => `${matched} von ${read} Datensätzen`,
  incomplete: 'nicht alle Datensätze wurden gelesen, die Zahl gilt also nicht für alle',
  ignored: (count) => `ausgelassen, weil leer oder keine Zahl: ${count}`,
  none: 'Kein Datensatz passt',
  noGroup: 'Keine',
  value: (name, field, number) =>
    name === 'count' ? `Die Anzahl ist ${number}` : `${nouns.de[name]} von ${field} ist ${number}`,
  distinct: (field, number) => `Es gibt ${number} verschiedene Werte von ${field}`,
  distinctOf: (field, number) => `verschiedene Werte von ${field}: ${number}`,
  shareIs: (percent, part, whole) => `${percent} % (${part} von ${whole})`,
  best: (name, direction, what, value) =>
    `${name} ${name.includes(', ') ? 'haben' : 'hat'} den ${direction === 'max' ? 'höchsten' : 'niedrigsten'} Wert (${what}): ${value}`,
  measure: (name, field) => (name === 'count' ? 'Anzahl' : `${nouns.de[name].replace(/^\w+ /, '')} von ${field}`),
  single: (field) => `einzelner Wert von ${field}`,
  shown: (shown, total) => `die ersten ${shown} von ${total}`,
  atLeast: (count) => `mindestens ${count}`,
  found: (total) => `${total} Datensätze`,

  forecastStarted: 'Die Prognose ist noch nicht fertig. Bitte gleich noch einmal lesen.',
  forecast: (total, steps, peak) =>
    `Die Prognose über ${steps} Schritte ergibt zusammen ${total}; ihr Höchstwert ist ${peak}`,
  forecastOf: (field, source) => `Prognose von ${field} aus ${source}`,
}

const germanDays: Record<string, string> = {
  Monday: 'Montag',
  Tuesday: 'Dienstag',
  Wednesday: 'Mittwoch',
  Thursday: 'Donnerstag',
  Friday: 'Freitag',
  Saturday: 'Samstag',
  Sunday: 'Sonntag',
}

const nouns: Record<Language, Record<FunctionName, string>> = {
  en: {
    count: 'count',
    sum: 'total',
    mean: 'average',
    median: 'median',
    max: 'maximum',
    min: 'minimum',
    distinct: 'number of different values',
  },
  de: {
    count: 'Die Anzahl',
    sum: 'Die Summe',
    mean: 'Der Durchschnitt',
    median: 'Der Median',
    max: 'Das Maximum',
    min: 'Das Minimum',
    distinct: 'Die Anzahl verschiedener Werte',
  },
}

export const phrases: Record<Language, Phrases> = { en, de }
