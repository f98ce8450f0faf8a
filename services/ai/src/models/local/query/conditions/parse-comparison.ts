import type { Draft } from '../draft.ts'
import { buckets, copulas, leads } from '../grammar.ts'
import { headcountOf } from '../order/order-column.ts'
import { type Query, Refusal } from '../query.ts'
import type { TimeRange } from '../times/periods.ts'

/** Two values, days of the week or months that are compared. */
interface Comparison {
  by: 'value' | 'weekday' | 'month'
  /** Undefined for `more in Berlin than in Munich`, which lists both. */
  direction?: 'max' | 'min'
  /** True for `busier`, which names no number. */
  isCrowded: boolean
}

const crowded = {
  max: 'busier|fuller|more crowded|mehr los|voller',
  min: 'quieter|emptier|less crowded|weniger los|leerer|ruhiger',
} as const
const counted = { max: 'more|mehr', min: 'fewer|less|weniger' } as const
const versus = 'vs|versus|compared (?:to|with)|verglichen mit|im vergleich zu[mr]?'
const item = String.raw`[VRT]\d+`
const lead = `(?:(?:${leads}) )*`

/** Takes `more in Berlin than in Munich`, `busier on Mondays or on Fridays`, `more in May or June`. */
export function takeComparison(draft: Draft): Comparison | undefined {
  const found = draft.find(
    `(?:more|fewer|less|mehr|weniger) (.*?)(V\\d+) (?:(?:${copulas}) )?(?:than|als) ${lead}(V\\d+)`,
  )
  if (found !== undefined) {
    const [whole, between = '', first = '', second = ''] = found
    draft.text = draft.text.replace(whole, `${between}${first} or ${second}`)
    return { by: 'value', isCrowded: false }
  }
  const between = `(?:the |der )?(?:difference|unterschied|differenz) (?:(?:in|of|bei|beim) )?(?:(?:the|der|den|dem) )?(.*?)(?:between|zwischen) ${lead}(V\\d+) (?:and|und) ${lead}(V\\d+)`
  const apart = draft.find(between)
  if (apart !== undefined && draft.left('SN').length > 0) {
    const [whole, subject = '', first = '', second = ''] = apart
    draft.text = draft.text.replace(whole, `${subject}${first} or ${second}`)
    return { by: 'value', isCrowded: false }
  }
  if (draft.take(`(?<=V\\d+ )(?:${versus})(?= ${lead}V\\d+ )`, 'or') !== undefined)
    return { by: 'value', isCrowded: false }
  for (const [words, isCrowded] of [[crowded, true] as const, [counted, false] as const])
    for (const direction of ['max', 'min'] as const) {
      const word = `(?:${words[direction]})(?! (?:than|als) \\d)`
      const around = draft.find(`(${item}) (.*?)${word} ((?:[NSX]\\d+ )?)(?:than|als) ${lead}(${item})`)
      if (around !== undefined) {
        const [whole, first = '', between = '', subject = '', second = ''] = around
        draft.text = draft.text.replace(whole, `${first} or ${second} ${between}${subject}MORE`)
      } else if (draft.find(word) === undefined || !isChoice(draft)) continue
      else draft.take(word, 'MORE')
      if (isCrowded) draft.take('(?:it|es)')
      draft.take(`(?:which|what|welche[nmrs]?) (?:${buckets})`)
      takeComparedColumn(draft)
      return { by: mergeChoice(draft), direction, isCrowded }
    }
  return undefined
}

/** Takes `which contractor` of `which contractor has fewer complaints, A or B`. */
function takeComparedColumn(draft: Draft): void {
  const [whole, column = ''] = draft.find('(?:which|what|welche[nmrs]?) (X\\d+)') ?? []
  const fields = draft.left('V').flatMap((name) => draft.tag(name).options.map(({ field }) => field))
  if (whole !== undefined && draft.tag(column).options.some(({ field }) => fields.includes(field))) draft.take(whole)
}

const choice = `(${item}) (?:or|oder|than|als) ${lead}(${item})`

const isChoice = (draft: Draft): boolean => draft.find(choice) !== undefined || eitherDay(draft) !== undefined

/** Returns the tag of two days of the week of which the question asks for one. */
const eitherDay = (draft: Draft): string | undefined =>
  draft.left('R').find((tag) => {
    const { isEither, weekdays = [] } = draft.recurrences[Number(tag.slice(1))] ?? {}
    return isEither === true && weekdays.length === 2
  })

/** Puts two times in the place of which both are needed. Values stay a list. @throws Refusal if they differ in kind */
function mergeChoice(draft: Draft): Comparison['by'] {
  if (eitherDay(draft) !== undefined) return 'weekday'
  const [whole = '', first = '', second = ''] = draft.find(choice) ?? []
  const [kind, other] = [first[0], second[0]]
  const numberOf = (tag: string) => Number(tag.slice(1))
  if (kind === 'V' && other === 'V') return 'value'
  if (kind === 'R' && other === 'R') {
    const days = [first, second].map((tag) => draft.recurrences[numberOf(tag)] ?? {})
    const isOfDays = days.every(({ weekdays, ...hours }) => weekdays?.length === 1 && Object.keys(hours).length === 0)
    if (!isOfDays) throw new Refusal(draft.say.inexpressible('than'))
    const merged = draft.recurrences.push({ weekdays: days.flatMap(({ weekdays = [] }) => weekdays) }) - 1
    draft.text = draft.text.replace(whole, `R${merged}`)
    return 'weekday'
  }
  const [one, two] = [first, second].map((tag) => (tag.startsWith('T') ? draft.ranges[numberOf(tag)] : undefined))
  const span = one && two && (monthsOf(one, two) ?? monthsOf(two, one))
  if (span === undefined) throw new Refusal(draft.say.inexpressible('than'))
  draft.text = draft.text.replace(whole, `T${draft.ranges.push(span) - 1}`)
  return 'month'
}

/** Returns the time of two months of which one follows the other. */
function monthsOf(first: TimeRange, second: TimeRange): TimeRange | undefined {
  const isMonth = ({ from, until }: TimeRange) =>
    from?.endsWith('-01') === true && until?.endsWith('-01') === true && daysBetween(from, until) <= 31
  const { from } = first
  const isNext = first.until !== undefined && first.until === second.from
  return isMonth(first) && isMonth(second) && isNext && first.isYearless === second.isYearless && from !== undefined
    ? { ...second, from }
    : undefined
}

const daysBetween = (from: string, until: string): number => (Date.parse(until) - Date.parse(from)) / 86_400_000

/** Returns the groups of a comparison, and their order. */
export function groupsCompared(
  draft: Draft,
  { by, direction }: Comparison,
  time: string | undefined,
): Partial<Pick<Query, 'groupBy' | 'bucket' | 'order'>> {
  const order = direction === undefined ? {} : { order: { direction, count: 2 } }
  if (by !== 'value') return { bucket: { field: time ?? draft.takeTime(), by }, ...order }
  const listed = Object.entries(draft.filters).filter(
    ([, value]) => typeof value === 'object' && value.in !== undefined,
  )
  if (listed.length !== 1) throw new Refusal(draft.say.inexpressible('than'))
  return { groupBy: listed.map(([field]) => field), ...order }
}

/** Returns the number that `busier` compares: that of the people, or of the records. */
export function crowdMeasure(draft: Draft): Pick<Query, 'form' | 'function' | 'field'> {
  const field = headcountOf(draft)
  return { form: 'aggregate', function: field === undefined ? 'count' : 'sum', field }
}
