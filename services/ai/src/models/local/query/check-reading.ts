import { endColumn } from './column-roles.ts'
import { describeQuery } from './describe-query.ts'
import type { Draft } from './draft.ts'
import { buckets } from './grammar.ts'
import type { Measure } from './measures/parse-measure.ts'
import type { Order } from './order/parse-order.ts'
import { type Query, Refusal } from './query.ts'

/** The parts of a question that have been read so far. */
export interface Parts {
  /** The question before parts of it were taken. */
  text: string
  today: Date
  order: Order | undefined
  measure: Measure | undefined
  isYesNo: boolean
  isBounded: boolean
}

/** @throws Refusal of a question that may also be about several records at once */
export function requireOneReading(draft: Draft, { text, today, order, measure, isYesNo, isBounded }: Parts): void {
  if (draft.isExcept && (measure?.form === 'distinct' || measure?.function === 'distinct'))
    throw new Refusal(draft.say.absent(draft.source.name))
  // `Is Monday the busiest day` compares all days, and `came every day` is about several records of a person.
  if (isYesNo && order !== undefined) throw new Refusal(draft.say.inexpressible(draft.say.superlative))
  if (measure?.function === 'distinct' && new RegExp(` (?:each|every|jede[nmrs]?) (?:${buckets}) `).test(text))
    throw new Refusal(draft.say.inexpressible(draft.say.different))
  // Who was still there at an hour is not who passed a door then.
  if (measure?.form === 'distinct' && draft.recurring?.fromHour !== undefined && / (?:still|noch) /.test(text))
    throw new Refusal(draft.say.inexpressible(draft.say.stillThere))
  const end = endColumn(draft.source)
  if (
    end !== undefined &&
    !draft.isStillThere &&
    / (?:still|(?<! weder .*)noch|currently|now|aktuell|derzeit|momentan) /.test(text)
  )
    throw draft.ambiguous(draft.say.stillThere, [
      `${end} ${draft.say.empty}`,
      `${end} ≥ ${today.toISOString().slice(0, 10)}`,
    ])
  // `Is the average above 8` compares the average, not the records.
  if (isYesNo && isBounded && measure !== undefined && measure.function !== 'count')
    throw new Refusal(draft.say.inexpressible(draft.say.superlative))
}

/** @throws Refusal that names the words that are left, what they may be, and the nearest question that has an answer */
export function requireAllUsed(draft: Draft, query: Query): void {
  const isSubject =
    draft.left('S').length > 0 ||
    query.recurring !== undefined ||
    Object.keys({ ...query.filters, ...query.partFilters }).length > 0
  const left = [...draft.unusedWords(), ...draft.left('VNDBX').map((name) => draft.tag(name).text)]
  if (left.length > 0) throw draft.unknown(left, isSubject ? [draft.say.nearest(describeQuery(query, draft.say))] : [])
  const isNamed = draft.left('S').length > 0 || query.select.length > 0 || query.order !== undefined
  // `List the managers in Finance`: every word is a value.
  const isListed = draft.find('list|show|which|welche\\w*|zeige?|nenne') !== undefined && isSubject
  if (query.form === 'records' && !isNamed && !isListed) throw new Refusal(draft.say.noSubject, 1)
  const isRanked = query.order !== undefined && query.bucket !== undefined
  if (!isSubject && query.form === 'aggregate' && query.field === undefined && query.groupBy.length === 0 && !isRanked)
    throw new Refusal(draft.say.noSubject, 1)
}
