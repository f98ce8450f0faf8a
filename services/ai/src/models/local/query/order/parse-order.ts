import { personNouns } from '../column-roles.ts'
import type { Draft } from '../draft.ts'
import { buckets, crowdedness, dateSuperlatives, superlatives } from '../grammar.ts'
import { isQuantity, isScore } from '../quantities.ts'
import { Refusal } from '../query.ts'
import {
  columnOfQuestionWord,
  durationOf,
  headcountOf,
  isOfSales,
  moneyOf,
  quantityOf,
  rankingColumn,
  surestNames,
  takeNames,
} from './order-column.ts'

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

const mostWord = /^(?:more|mehr|fewer|weniger|most|fewest|least|am meisten|meiste\w*|wenigste\w*)$/
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
        max: String.raw`(?:the )?most (?:common|frequently|frequent|often|popular|of(?= $))|am (?:haufigsten|oftesten|beliebtesten)|haufigste\w*|beliebteste\w*`,
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
  const doer = draft.takeDoer()
  const target = doer === undefined ? targetOf(draft, word, isCrowded) : undefined
  const isSold = isOfSales(draft, word)
  // `Booked longest` is no number of bookings.
  const isUsed =
    !isSold && (mostWord.test(word) || draft.find('COMMON') !== undefined) && draft.take(draft.usage) !== undefined
  const isNumbered = draft.take(
    `(?<=SUP )(?:number|count|anzahl|zahl)(?: of| der| an| von)?(?= (?:[VB]\\d+ )*[SVB]\\d)`,
  )
  const isCommon = draft.take('COMMON') !== undefined && !isSold
  const field = isCommon
    ? undefined
    : (rankingColumn(draft, target) ??
      (isCrowded ? crowdOf(draft) : isSold ? quantityOf(draft) : (durationOf(draft, word) ?? moneyOf(draft, word))))
  if (/^(?:best|worst|schlecht)/.test(word) && !isScore(field ?? '')) throw draft.ambiguous(word, draft.say.extremes)
  const isSize = field === undefined && /^(?:biggest|largest|smallest|grosste|kleinste)/.test(word)
  const names =
    field !== undefined || target === undefined
      ? undefined
      : (takeNames(draft, target) ?? (isSize && target.startsWith('X') ? surestNames(draft) : undefined))
  const isOfRecords = draft.find('SUP (?:records|entries|eintrage|datensatze)') !== undefined
  const isOfValue = draft.find('SUP (?:· )*V\\d+') !== undefined && !draft.fieldsOfType('number').some(isQuantity)
  // `The most complaints`, of a yes-or-no column: its records
  const isOfFlag = draft.find('SUP (?:V\\d+ |· )*B\\d+') !== undefined
  draft.take('(?:CROWD )?SUP')
  const isMost = isCrowded || isSold || isNumbered !== undefined || mostWord.test(word)
  const hasSubject = target !== undefined || doer !== undefined
  const order = {
    direction,
    count,
    field: field ?? names,
    isOfNames: names !== undefined,
    isCommon: isCommon || isUsed || (isMost && (isOfRecords || ((isOfValue || isOfFlag) && hasSubject))),
    isMost,
    isCrowded,
  }
  if (doer !== undefined) return { ...order, target: { name: doer } }
  return { ...order, ...subjectOf(draft, target, { word, isCrowded, hasField: field !== undefined }) }
}

/** Returns the column of people; none where the records are named, as in `the busiest day for bookings`. */
const crowdOf = (draft: Draft): string | undefined =>
  draft.find('(?:for|by|nach) S\\d+') === undefined ? headcountOf(draft) : undefined

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
    draft.find(String.raw`SUP ([SX]\d+) (?:by|nach) (?:the )?N\d+`)?.[1] ??
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

/** Puts the hour in the place of `what time`, also where `time` is a column. */
function takeTimeOfDay(draft: Draft): void {
  const [, tag] = draft.find(String.raw`(?:what|which|um welche|zu welcher) (D\d+)`) ?? []
  if (tag !== undefined && /^(?:time|uhrzeit|zeit)$/i.test(draft.tag(tag).text)) draft.take(`(?<=\\S+ )${tag}`, 'hour')
  draft.take('(?:at )?what time|(?:um )?wie viel uhr', 'which hour')
}
