import { createWordComparison } from '../language/vocabulary.ts'
import { fold, formsOf, wordsOfName } from '../language/words.ts'
import type { KnownSource } from '../tool-results.ts'
import { coreOf } from './core-name.ts'
import { minutesOfColumn } from './quantities.ts'

/** Words for the beginning and end of what a record says, and the columns that have their times. */
export const endWords = /^(?:left|ausgetreten|gegangen|ausgeschieden)$/i
const edges = [
  {
    words:
      /^(?:start(?:s|ed)?|join(?:s|ed)?|began|begann|begannen|hired|angefangen|anfangen|begonnen|eingetreten|eingestellt)$/,
    columns: /(?:^|[ _])(?:from|von|ab|start|begin|eintritt|entry|hire|join|valid_?from)/i,
  },
  { words: endWords, columns: /^(?:until|till|bis|austritt|exit|left)/i },
  {
    words: /^(?:expir(?:es?|ed|ing)|auslaufen|ablaufen|abgelaufen|ausgelaufen)$/,
    columns: /(?:^|[ _])(?:end|until|till|bis|expir|valid.?until)/i,
  },
]

/**
 * Names of columns of times at which an event happens, at which it was recorded, and at which something that lasts
 * begins.
 */
const beginnings = {
  event:
    /^(?:\w+[ _])?(?:start|begin|beginn)|^(?:arriv|enter|check_?in|ankunft|anreise|einfahrt|zutritt|d[eé]but|arriv[eé]e|entr[eé]e|inicio|llegada|(?:date|datum|fecha)\b|(?:jour|day|tag)$)/i,
  recorded:
    /^(?:open|order|creat|report|receiv|request|submit|book|regist|announc|bestell|eingang|erstellt|er[oö]ffnet|gemeldet|angemeldet|gebucht|erfasst|cr[eé][eé]|r[eé]serv|command|demand)/i,
  lasting: /^(?:purchas|bought|acquir|hire|join|eintritt|kauf|anschaffung|beschaff)/i,
}
/** Names of columns of times at which something ended. */
export const ending =
  /(?:^|[ _])(?:end|finish|left|leav|exit|depart|clos|resolv|deliver|complet|check_?out|paid|pay(?:ed|ment)|pay[eé]|bezahlt|r[eé]gl[eé]|return|due|until|till|bis|expir|warranty|austritt|ausgang|ausfahrt|abreise|liefer|erledigt|geschlossen|garantie|fallig|fällig|ruckgabe|rückgabe|shipped|cancel|stornier|abgesagt)/i

/**
 * Returns the time at which records begin, if all other times say when they end: a meeting of today starts today.
 * @param isOfAge true for `oldest`; a person employed in May need not have been hired then
 */
export function startColumn(times: readonly string[], isOfAge = false): string | undefined {
  const isRecorded = (name: string) => beginnings.recorded.test(name)
  const happens = times.filter(
    (name) => (beginnings.event.test(name) && !ending.test(name)) || (isOfAge && beginnings.lasting.test(name)),
  )
  // A meeting that was booked in May for June is one of June.
  const [start, other] = happens.length > 0 ? happens : times.filter(isRecorded)
  const isBeside = (name: string) => ending.test(name) || (happens.length > 0 && isRecorded(name))
  return other === undefined && times.every((name) => name === start || isBeside(name)) ? start : undefined
}

/** Words for hours, in which a question may ask for a column of minutes. */
export const hourWords = /^(?:hours?|stunden?)$/i
/** Words for the people that a column counts or names, and for the records of what readers at doors recorded. */
export const peopleWords = /^(?:people|persons?|leute|personen)$/
/** Nouns for a person in some role, of whom a log may have many records. */
export const personNouns =
  /employee|staff|member|visitor|guest|customer|client|person|people|user|colleague|mitarbeit|besucher|gast|gäste|kund|nutzer|kolleg/i
const eventWords = /^(?:events?|ereignisse?n?|swipes?|taps?|scans?|badgings?|zutritte?n?)$/
/** Words for the records of a source with starts and ends, and of what readers at doors recorded. */
const bookingWords =
  /^(?:bookings?|reservations?|meetings?|appointments?|buchung(?:en)?|reservierung(?:en)?|besprechung(?:en)?|termine?n?)$/
/** Columns that count people, and columns that name them, the surest first. */
export const isHeadcount = (field: string): boolean =>
  /head_?count|people|personen|besucher|visitors|anwesende|人数/i.test(field)
const personColumns = [
  /employee|employé|mitarbeiter|benutzer|user|cardholder|assigned|assignee|zugewiesen|participant|teilnehm/i,
  /ausweis|badge|card|karte|pers|pernr/i,
  /name/i,
]

/** A highest or average number of people is not their number. */
const isExtreme = (field: string): boolean => /peak|max|min|avg|average|mean|spitze|durchschnitt/i.test(field)

/** Returns the columns that count people. */
export function headcounts({ fields }: KnownSource): string[] {
  const all = fields.filter(({ name, type }) => type === 'number' && isHeadcount(name)).map(({ name }) => name)
  const plain = all.filter((name) => !isExtreme(name))
  return plain.length > 0 ? plain : all
}

/** Returns the columns that `people` may mean: those that count them, or the surest that names them. */
export function peopleColumns(source: KnownSource): string[] {
  const { fields } = source
  const attendees = fields.filter(({ name, type }) => type === 'number' && attending.test(name)).map(({ name }) => name)
  const counts = [headcounts(source), attendees].find(isSome)
  if (counts !== undefined) return counts
  const texts = fields.filter(({ type }) => type === 'string').map(({ name }) => name)
  const [named = []] = personColumns.map((pattern) => texts.filter((name) => pattern.test(name))).filter(isSome)
  return named
}

/** Columns that count the people of an event, and the verbs of those. */
export const attending = /attend|particip|teilnehm|teilgenommen/i
const isSome = (names: readonly string[]): boolean => names.length > 0

/** Returns true for `ticket_id` of tickets. */
export function isNameOfRecords(field: string, source: string): boolean {
  const [name, ...more] = coreOf(field).core
  const records = wordsOfName(source).at(-1)
  if (name === undefined || more.length > 0 || records === undefined) return false
  return isSameWord(name.plain, records.plain) || isCompoundOf(records.plain, name.plain)
}

/** Returns the column that names the records of a source: `ticket_id` of tickets. */
export const recordColumn = ({ fields, name: source }: KnownSource): string | undefined =>
  fields.find(({ name }) => isNameOfRecords(name, source))?.name
const isSameWord = createWordComparison('en')
/** Returns true for `raumbuchungen` and `buchung`. */
const isCompoundOf = (compound: string, name: string): boolean =>
  name.length >= 6 && formsOf(compound, 'de').some((form) => form.endsWith(fold(name)))

/** Returns the column that says until when what a record says was true. */
export const endColumn = ({ fields }: KnownSource): string | undefined =>
  fields.find(({ name, type }) => type === 'timestamp' && edges[1]?.columns.test(name) === true)?.name

/** Returns a function that returns the columns that a word means by their role, and if it means the records. */
export function createRoleReader(
  source: KnownSource,
): (word: string, before?: string) => { fields: string[]; isOfRecords: boolean } {
  const times = source.fields.filter(({ type }) => type === 'timestamp').map(({ name }) => name)
  const isLog = times.length > 0 && source.fields.every(({ type }) => type !== 'number')
  const hasEnd = source.fields.some(({ name }) => /^(?:end|finish|duration|dauer)/i.test(name))
  const isBooked = hasEnd && times.some((name) => /^(?:start|begin)/i.test(name))
  const people = peopleColumns(source)
  const durations = source.fields
    .filter(({ name, type }) => type === 'number' && minutesOfColumn(name) === 1)
    .map(({ name }) => name)
  return (word, before = '') => ({
    fields: [
      ...(durations.length === 1 && /^(?:length|duration|dauer)$/.test(word) ? durations : []),
      ...(durations.length === 1 &&
      hourWords.test(word) &&
      /^(?:many|viele|total|average|gesamt\w*|durchschnitt\w*)$/.test(before)
        ? durations
        : []),
      ...(peopleWords.test(word) ? people : []),
      ...edges
        .filter(({ words }) => words.test(word))
        .flatMap(({ columns }) => times.filter((name) => columns.test(name))),
    ],
    isOfRecords: (isLog && eventWords.test(word)) || (isBooked && bookingWords.test(word)),
  })
}
