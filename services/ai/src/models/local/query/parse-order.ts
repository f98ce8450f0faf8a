import { createWordComparison } from '../language/vocabulary.ts'
import { wordsOfName } from '../language/words.ts'
import type { Draft } from './draft.ts'
import { bucketWords, dateSuperlatives, superlatives } from './grammar.ts'
import { type Bucket, Refusal } from './query.ts'

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
}

export const buckets = Object.values(bucketWords).join('|')
/** Returns the period of `month` or `Monat`. */
export const bucketOf = (word: string): Bucket | undefined =>
  Object.entries(bucketWords)
    .filter(([, pattern]) => new RegExp(`^(?:${pattern})$`).test(word))
    .map(([name]) => name as Bucket)[0] // a key of the table

const person =
  /owner|contact|manager|responsible|assignee|person|author|borrower|employee|booked_by|mitarbeiter|verantwortlich/i
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
  // The persons of a directory are its records: `employee`, not `manager`.
  const isSameWord = createWordComparison('en')
  const isRecord = (field: string) => wordsOfName(draft.source.name).some(({ plain }) => isSameWord(plain, field))
  const [field, other] = fields.filter(isRecord).length === 1 ? fields.filter(isRecord) : fields
  if (field === undefined) throw new Refusal(draft.say.unknown(unused), unused.length)
  if (other !== undefined) throw draft.ambiguous(word, fields)
  return field
}

/** Takes `which team has the most`, `the 3 tickets with the highest refund`, `the latest ticket`. */
export function takeOrder(draft: Draft): Order | undefined {
  const found =
    takeFrom(draft, { max: String.raw`most (?:common|frequent)|haufigste\w*` }, 'COMMON') ??
    takeFrom(draft, superlatives, 'SUP') ??
    takeFrom(draft, dateSuperlatives, 'DATE', String.raw`(?= (?:\d+ )?(?:V\d+ )*S\d+)`)
  if (found === undefined) return undefined
  const [direction, word] = found
  const tagOrBucket = String.raw`[XNBSD]\d+|${buckets}`
  const digits = draft.take(
    String.raw`(?<=(?:top|which|what|the|die|welche\w*|SUP|DATE|COMMON) )\d{1,2}(?= (?:V\d+ )*(?:SUP|COMMON|${tagOrBucket}))`,
  )
  const count = Math.max(1, Number(digits?.[0] ?? 1))
  if (draft.take('DATE') !== undefined)
    return { direction, count, target: 'records', field: draft.takeTime(), isMost: false, isCommon: false }
  const target =
    draft.find(String.raw`(?:which|what|welch\w*) (?:(?:·|V\d+) )*(${tagOrBucket})(?= .*(?:SUP|COMMON))`)?.[1] ??
    draft.find(
      String.raw`(${tagOrBucket}) (?:(?:that|which|·|V\d+) )*(?:with|mit|has|have|had|hat|haben|hatte|gets?) (?:(?:the|die|den) )?SUP`,
    )?.[1] ??
    draft.find(String.raw`SUP N\d+ ([SX]\d+)`)?.[1] ??
    (word === 'top' || draft.find('COMMON') ? draft.find(`(?:SUP|COMMON) (?:· )*(${tagOrBucket})`)?.[1] : undefined)
  const isCommon = draft.take('COMMON') !== undefined
  const field = isCommon ? undefined : measureOf(draft, target)
  draft.take('SUP')
  const order = {
    direction,
    count,
    field,
    isCommon,
    isMost: /^(?:most|fewest|least|am meisten|meiste\w*|wenigste\w*)$/.test(word),
  }
  if (target === undefined) {
    const who = field === undefined || draft.find('who|wer') !== undefined ? columnOfQuestionWord(draft) : undefined
    return { ...order, target: who === undefined ? 'value' : { name: who } }
  }
  if (target.startsWith('S')) return { ...order, target: 'records' }
  draft.take(target)
  return { ...order, target: { name: /^[XNB]\d/.test(target) ? draft.field(target) : target } }
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

/** Takes the number that ranks: the one after the superlative, or after `by`. */
function measureOf(draft: Draft, target: string | undefined): string | undefined {
  const tag =
    draft.find(String.raw`(?:by|nach) (?:the )?([ND]\d+)`)?.[1] ??
    draft.find(
      String.raw`SUP (?:(?:average|mean|total|number|count|amount|of|·|durchschnittliche\w*|anzahl|an) )*([ND]\d+)`,
    )?.[1]
  if (tag === undefined || tag === target) return undefined
  draft.take(`(?:(?:by|nach) (?:the )?)?${tag}`)
  return draft.field(tag)
}
