import type { Computation } from './question.ts'
import type { Language } from './words.ts'

/** The sentences of answers, in the language of the question. */
export const phrases = {
  en: {
    noAnswer: 'The data do not answer this question.',
    toolFailed: (tool: string, reason: string) => `I could not answer: ${tool} failed. ${reason}`,
    toolAnswer: (tool: string, output: string) => `${tool} returned: ${output}`,
    sources: (names: string) => `The data sources are: ${names}.`,
    noSources: 'There are no data sources.',
    rows: (matched: number, read: number, source: string) => `${matched} of ${read} records of ${source}`,
    incomplete: 'not all records were read',
    none: 'No record matches',
    count: (number: string) => `The count is ${number}`,
    groups: (field: string, number: number) => `There are ${number} different values of ${field}`,
    value: (name: Computation, field: string, number: string) => `The ${nouns.en[name]} of ${field} is ${number}`,
    measure: (name: Computation, field: string) =>
      name === 'count' ? 'Number of records' : `${capitalize(nouns.en[name])} of ${field}`,
    best: (name: string, extreme: 'max' | 'min', value: string) =>
      `${name} has the ${extreme === 'max' ? 'highest' : 'lowest'} value: ${value}`,
    list: (title: string) => `${title}:`,
    forecastStarted: 'The forecast has not ended yet. Read it again in a moment.',
    forecast: (total: string, steps: number, peak: string) =>
      `The forecast of ${steps} steps adds up to ${total}; its peak is ${peak}`,
    variable: (name: string, value: string) => `${name} is ${value}`,
    secret: (name: string) => `The value of ${name} is secret and cannot be read.`,
  },
  de: {
    noAnswer: 'Die Daten beantworten diese Frage nicht.',
    toolFailed: (tool: string, reason: string) => `Keine Antwort möglich: ${tool} ist fehlgeschlagen. ${reason}`,
    toolAnswer: (tool: string, output: string) => `${tool} ergab: ${output}`,
    sources: (names: string) => `Die Datenquellen sind: ${names}.`,
    noSources: 'Es gibt keine Datenquellen.',
    rows: (matched: number, read: number, source: string) => `${matched} von ${read} Datensätzen aus ${source}`,
    incomplete: 'nicht alle Datensätze wurden gelesen',
    none: 'Kein Datensatz passt',
    count: (number: string) => `Die Anzahl ist ${number}`,
    groups: (field: string, number: number) => `Es gibt ${number} verschiedene Werte von ${field}`,
    value: (name: Computation, field: string, number: string) => `${nouns.de[name]} von ${field} ist ${number}`,
    measure: (name: Computation, field: string) =>
      name === 'count' ? 'Anzahl der Datensätze' : `${nouns.de[name]} von ${field}`,
    best: (name: string, extreme: 'max' | 'min', value: string) =>
      `${name} hat den ${extreme === 'max' ? 'höchsten' : 'niedrigsten'} Wert: ${value}`,
    list: (title: string) => `${title}:`,
    forecastStarted: 'Die Prognose ist noch nicht fertig. Bitte gleich noch einmal lesen.',
    forecast: (total: string, steps: number, peak: string) =>
      `Die Prognose über ${steps} Schritte ergibt zusammen ${total}; ihr Höchstwert ist ${peak}`,
    variable: (name: string, value: string) => `${name} ist ${value}`,
    secret: (name: string) => `Der Wert von ${name} ist geheim und kann nicht gelesen werden.`,
  },
} satisfies Record<Language, unknown>

const capitalize = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1)

const nouns: Record<Language, Record<Computation, string>> = {
  en: { count: 'count', sum: 'total', mean: 'average', max: 'maximum', min: 'minimum' },
  de: { count: 'Die Anzahl', sum: 'Die Summe', mean: 'Der Durchschnitt', max: 'Das Maximum', min: 'Das Minimum' },
}
