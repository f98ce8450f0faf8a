import type { Bucket } from '../language/phrases.ts'
import { createWordComparison } from '../language/vocabulary.ts'
import { wordsOfName } from '../language/words.ts'
import type { KnownSource } from '../tool-results.ts'
import { headcounts, isNameOfRecords, peopleColumns, peopleWords, personNouns } from './column-roles.ts'
import { minutesOfColumn } from './conditions/parse-amounts.ts'
import type { Draft } from './draft.ts'
import {
  bucketWords,
  crowdedness,
  dateSuperlatives,
  expensive,
  leads,
  sold,
  spending,
  superlatives,
} from './grammar.ts'
import { isMoney, isQuantity, isScore } from './quantities.ts'
import { Refusal } from './query.ts'

/** The subject of a ranking: records, groups, or nothing, as in `the highest refund`. */
export interface Order {
  direction: 'max' | 'min'
  count: number
  target: 'records' | 'value' | { name: string }
  /** The column that ranks. Undefined: records are counted. */
  field: string | undefined
  /** True for `the most common`. */
  isCommon: boolean
  /** True for `most`, which means a total; `highest` may also mean the highest single value. */
  isMost: boolean
  /** True for `busiest`, which names no number. */
  isCrowded: boolean
  /** True for `most people`, of which the column has the names. */
  isOfNames: boolean
  /** True for `when is it busiest`, which may mean an hour, a day of the week or a day. */
  isWhen?: boolean
}

export const buckets = Object.values(bucketWords).join('|')
/** Returns the period of `month` or `Monat`. */
export const bucketOf = (word: string): Bucket | undefined =>
  Object.entries(bucketWords)
    .filter(([, pattern]) => new RegExp(`^(?:${pattern})$`).test(word))
    .map(([name]) => name as Bucket)[0] // a key of the table

const person =
  /owner|contact|manager|responsible|assignee|person|author|borrower|employee|employé|participant|teilnehm|booked_by|mitarbeiter|verantwortlich/i
const place = /location|building|address|place|city|room|branch|floor|standort|raum|stadt|filiale/i

/** Returns the only column of persons or places, for `who` and `where`. */
export function columnOfQuestionWord(draft: Draft): string | undefined {
  const [word] = draft.find('who|whom|whose|wer|wem|wen|where|wo') ?? []
  if (word === undefined) return undefined
  const pattern = /^w(?:here|o)$/.test(word) ? place : person
  const fields = draft.source.fields
    .filter(({ name, type }) => type === 'string' && pattern.test(name))
    .map(({ name }) => name)
  const unused = [word, ...draft.unusedWords()]
  if (fields.length === 0 && !/^w(?:here|o)$/.test(word)) fields.push(...namesOfPeople(draft.source))
  // The persons of a directory are its records: `employee`, not `manager`.
  const isSameWord = createWordComparison('en')
  const isRecord = (field: string) => wordsOfName(draft.source.name).some(({ plain }) => isSameWord(plain, field))
  const [field, other] = fields.filter(isRecord).length === 1 ? fields.filter(isRecord) : fields
  if (field === undefined) throw new Refusal(draft.say.unknown(unused), unused.length)
  if (other !== undefined) throw draft.ambiguous(word, fields)
  return field
}

/** Returns the column that names the people of a directory or of a log of visits. */
const namesOfPeople = ({ fields, name: source }: KnownSource): string[] =>
  !personNouns.test(source)
    ? []
    : fields
        .filter(
          ({ name, type }) =>
            type === 'string' && (/^(?:full |voller )?name$/i.test(name) || isNameOfRecords(name, source)),
        )
        .map(({ name }) => name)

const ofAge = /^(?:oldest|youngest|alteste\w*|jungste\w*)$/

const more = {
  max: String.raw`(?<=(?:which|what|welch\w*) (?:.* )?)(?:more|mehr)`,
  min: String.raw`(?<=(?:which|what|welch\w*) (?:.* )?)(?:fewer|weniger)`,
}

/** Takes `which team has the most`, `the 3 tickets with the highest refund`, `the latest ticket`. */
export function takeOrder(draft: Draft): Order | undefined {
  const found =
    takeFrom(
      draft,
      {
        max: String.raw`(?:the )?most (?:common|frequently|frequent|often|popular)|am (?:haufigsten|oftesten|beliebtesten)|haufigste\w*|beliebteste\w*`,
      },
      'COMMON',
    ) ??
    takeFrom(draft, superlatives, 'SUP', '(?! (?:crowded|busy|los) )') ??
    takeFrom(draft, crowdedness, 'CROWD SUP') ??
    // `Which month had more visitors`
    takeFrom(draft, more, 'SUP', '(?! (?:.* )?(?:than|als) )') ??
    takeFrom(draft, dateSuperlatives, 'DATE', String.raw`(?= (?:\d+ )?(?:V\d+ )*S\d+)`)
  if (found === undefined) return undefined
  const [direction, word] = found
  const isCrowded = draft.find('CROWD') !== undefined
  if (isCrowded) takeTimeOfDay(draft)
  const digits = draft.take(
    String.raw`(?<=(?:top|which|what|the|die|welche\w*|SUP|DATE|COMMON) )\d{1,2}(?= (?:V\d+ )*(?:CROWD|SUP|COMMON|${tagOrBucket}))`,
  )
  const count = Math.max(1, Number(digits?.[0] ?? 1))
  if (draft.take('DATE') !== undefined) {
    const kind = { isMost: false, isCommon: false, isCrowded, isOfNames: false }
    // The oldest employee is not the one who was hired first.
    const isOfPerson = draft.left('S').some((name) => personNouns.test(draft.tag(name).text))
    if (isOfPerson && ofAge.test(word)) throw new Refusal(draft.say.unknown([word]), 1)
    return { direction, count, target: 'records', field: draft.takeTime(true), ...kind }
  }
  const target = targetOf(draft, word, isCrowded)
  const isSold = isOfSales(draft, word)
  const isCommon = draft.take('COMMON') !== undefined && !isSold
  const field = isCommon
    ? undefined
    : (measureOf(draft, target) ??
      (isCrowded ? headcountOf(draft) : isSold ? quantityOf(draft) : (durationOf(draft, word) ?? moneyOf(draft))))
  if (/^(?:best|worst|schlecht)/.test(word) && !isScore(field ?? '')) throw draft.ambiguous(word, draft.say.extremes)
  const isSize = field === undefined && /^(?:biggest|largest|smallest|grosste|kleinste)/.test(word)
  const names =
    field !== undefined || target === undefined
      ? undefined
      : (takeNames(draft, target) ?? (isSize && target.startsWith('X') ? surestNames(draft) : undefined))
  const isOfRecords = draft.find('SUP (?:records|entries|eintrage|datensatze)') !== undefined
  const isOfValue = draft.find('SUP V\\d+') !== undefined && !draft.fieldsOfType('number').some(isQuantity)
  draft.take('(?:CROWD )?SUP')
  const isMost =
    isCrowded || isSold || /^(?:more|mehr|fewer|weniger|most|fewest|least|am meisten|meiste\w*|wenigste\w*)$/.test(word)
  // `Booked longest` is no number of bookings.
  const isUsed =
    (isMost || isCommon) &&
    draft.take(
      'uses?|used|books?|booked|orders?|ordered|visits?|visited|benutzt|nutzt|genutzt|bucht|gebucht|bestellt|besucht',
    ) !== undefined
  const order = {
    direction,
    count,
    field: field ?? names,
    isOfNames: names !== undefined,
    isCommon: isCommon || isUsed || (isMost && (isOfRecords || (isOfValue && target !== undefined))),
    isMost,
    isCrowded,
  }
  return { ...order, ...subjectOf(draft, target, { word, isCrowded, hasField: field !== undefined }) }
}

/** Takes the tag or period that is ranked, and returns the subject. */
function subjectOf(
  draft: Draft,
  target: string | undefined,
  { word, isCrowded, hasField }: { word: string; isCrowded: boolean; hasField: boolean },
): Pick<Order, 'target' | 'isWhen'> {
  if (target === undefined) {
    if (isCrowded && draft.find('when|wann') !== undefined) return { isWhen: true, target: { name: 'day' } }
    if (isCrowded) throw draft.ambiguous(word, [...draft.say.periods, ...draft.fieldsOfType('string')])
    const who = !hasField || draft.find('who|wer') !== undefined ? columnOfQuestionWord(draft) : undefined
    return { target: who === undefined ? 'value' : { name: who } }
  }
  if (target.startsWith('S')) return { target: 'records' }
  // The busiest of all Mondays is a day.
  if (target.startsWith('R')) return { target: { name: 'day' } }
  draft.take(target)
  return { target: { name: /^[XNB]\d/.test(target) ? draft.field(target) : target } }
}

const tagOrBucket = String.raw`[XNBSDR]\d+|${buckets}`

/** Returns the tag or period of which the best is asked for. */
function targetOf(draft: Draft, word: string, isCrowded: boolean): string | undefined {
  const ofPeriod = isCrowded ? draft.find(`SUP (${buckets})`)?.[1] : undefined
  // `Which day is the busiest day of the week` names two periods.
  if (ofPeriod !== undefined) draft.take('(?<=(?:which|what|welcher|welchem) )(?:day|tag)(?= .*SUP)')
  return (
    ofPeriod ??
    draft.find(String.raw`(?:which|what|welch\w*) (?:(?:·|V\d+) )*(${tagOrBucket})(?= .*(?:SUP|COMMON))`)?.[1] ??
    draft.find(
      String.raw`(${tagOrBucket}) (?:(?:that|which|·|V\d+) )*(?:with|mit|has|have|had|hat|haben|hatte|gets?) (?:(?:the|die|den) )?SUP`,
    )?.[1] ??
    draft.find(String.raw`SUP N\d+ ([SX]\d+)`)?.[1] ??
    (word === 'top' || isCrowded || draft.find('COMMON')
      ? draft.find(`(?:SUP|COMMON) (?:· )*(${tagOrBucket})`)?.[1]
      : undefined)
  )
}

function takeFrom(
  draft: Draft,
  words: { max: string; min?: string },
  mark: string,
  after = '',
): ['max' | 'min', string] | undefined {
  for (const direction of ['max', 'min'] as const) {
    const pattern = words[direction]
    const found = pattern && draft.take(`(?:(?:the|der|die|das|den) )?(${pattern})${after}`, mark)
    if (found) return [direction, found[1] ?? '']
  }
  return undefined
}

/** Returns the column of the people of a source without numbers, by which the biggest team is told. */
function surestNames(draft: Draft): string | undefined {
  const [field, other] = peopleColumns(draft.source)
  return draft.fieldsOfType('number').length === 0 && other === undefined ? field : undefined
}

/** Takes `people` in `the most people`, where a column has their names. */
function takeNames(draft: Draft, target: string): string | undefined {
  const [, tag] = draft.find(String.raw`SUP (?:(?:different|verschiedene\w*) )?(X\d+)`) ?? []
  if (tag === undefined || tag === target || !peopleWords.test(draft.tag(tag).text.toLowerCase())) return undefined
  draft.take(String.raw`(?<=SUP )(?:(?:different|verschiedene\w*) )?${tag}`)
  return draft.field(tag)
}

/** Puts the hour in the place of `what time`, also where `time` is a column. */
function takeTimeOfDay(draft: Draft): void {
  const [, tag] = draft.find(String.raw`(?:what|which|um welche|zu welcher) (D\d+)`) ?? []
  if (tag !== undefined && /^(?:time|uhrzeit|zeit)$/i.test(draft.tag(tag).text)) draft.take(`(?<=\\S+ )${tag}`, 'hour')
  draft.take('(?:at )?what time|(?:um )?wie viel uhr', 'which hour')
}

/** Returns the column that counts people, if there is one; records are counted otherwise. */
export function headcountOf(draft: Draft): string | undefined {
  const fields = headcounts(draft.source)
  if (fields.length > 1) throw draft.ambiguous(draft.say.number, fields)
  for (const name of draft.left('N')) if (draft.field(name) === fields[0]) draft.take(name)
  return fields[0]
}

/** Returns true for `sold most` and `most popular`, where each record may stand for several things. */
const isOfSales = (draft: Draft, word: string): boolean =>
  draft.fieldsOfType('number').some(isQuantity) &&
  (/popular|beliebt/.test(word) ||
    draft.find(sold) !== undefined ||
    draft.left('S').some((name) => new RegExp(`^(?:${sold})$`, 'i').test(draft.tag(name).text)))

/** Returns the only column of quantities. */
function quantityOf(draft: Draft): string | undefined {
  const fields = draft.fieldsOfType('number').filter(isQuantity)
  if (fields.length > 1) throw draft.ambiguous(draft.say.number, fields)
  draft.take(sold)
  return fields[0]
}

/** Returns the only column of money, for `most expensive` and `spent the most`. */
function moneyOf(draft: Draft): string | undefined {
  const [field, other] = draft.fieldsOfType('number').filter(isMoney)
  if (field === undefined || other !== undefined) return undefined
  return draft.take(`(?<=SUP )(?:${expensive})|(?:${spending})(?= (?:· )*SUP)`) === undefined ? undefined : field
}

/** Returns the only column of durations, for `longest`. */
function durationOf(draft: Draft, word: string): string | undefined {
  if (!/^(?:longest|shortest|langste|kurzeste)/.test(word)) return undefined
  const isDuration = (field: string) => minutesOfColumn(field) !== undefined || /duration|dauer/i.test(field)
  const [field, other] = draft.fieldsOfType('number').filter(isDuration)
  return other === undefined ? field : undefined
}

/** Takes the number that ranks: the one after the superlative, or after `by`. */
function measureOf(draft: Draft, target: string | undefined): string | undefined {
  const tag =
    draft.find(String.raw`(?:by|nach) (?:the )?([ND]\d+)`)?.[1] ??
    draft.find(
      String.raw`SUP (?:(?:average|mean|total|number|count|amount|of|·|durchschnitt\w*|anzahl|an) )*([ND]\d+)`,
    )?.[1]
  // `At which hour is the temperature highest`
  const before = draft.find(String.raw`([ND]\d+) (?:(?:·|V\d+|is|was|are|ist|war|sind|${leads}) )*SUP(?! [NDX]\d)`)?.[1]
  if (
    tag === undefined &&
    before !== undefined &&
    before !== target &&
    (target !== undefined || draft.find('who|wer') !== undefined)
  ) {
    draft.take(before)
    return draft.field(before)
  }
  if (tag === undefined || tag === target) return undefined
  draft.take(`(?:(?:by|nach) (?:the )?)?${tag}`)
  return draft.field(tag)
}
