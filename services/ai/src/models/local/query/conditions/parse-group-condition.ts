import type { Draft } from '../draft.ts'
import { bucketOf, buckets, columnTag, comparisons, leads, unitPattern } from '../grammar.ts'
import type { Measure } from '../measures/parse-measure.ts'
import { isRate } from '../quantities.ts'
import { type GroupCondition, type Query, Refusal } from '../query.ts'
import { isOfUnit, numberOf } from './parse-amounts.ts'

const verbs =
  'had|has|have|with|did|do|does|were|was|are|is|there|we|come|came|hatten?|haben|hat|waren|war|gab|gibt|kamen|es|da|mit'
const subject = `${columnTag}|${buckets}`
/** Conditions between the groups and the verb: `on how many days in June were`. */
const between = `(?:[TRV]\\d+|${leads}) `

/** Groups that are counted or listed if their number passes a bound. */
export interface GroupsOfBound extends Measure, Pick<Query, 'groupBy' | 'bucket'> {
  condition: GroupCondition
}

/** Takes `on how many days were there more than 50 visitors`, `which countries have more than 100 tickets`. */
export function takeGroupCondition(draft: Draft): GroupsOfBound | undefined {
  const bound = comparisons.flatMap(([operator, phrase]) => {
    const found = draft.find(
      `(?:${verbs}|N\\d+) (?:(?:${leads}|V\\d+) )*(?:${phrase}) (\\d[\\d.,]*)(?: (?<unit>${unitPattern}))?(?: (?:of )?([SNX]\\d+))?`,
    )
    return found === undefined ? [] : [{ operator, found }]
  })[0]
  const asked =
    draft.find(`(?:(?:on|in|an) )?(?:how many|wie ?vielen?|wieviele) (${subject}) (?:${between})*(?:${verbs}|N\\d+)`) ??
    draft.find(`(?:(?:on|in|an) )?(?:which|what|welche[nrs]?) (${subject}) (?:${between})*(?:${verbs})`)
  if (bound === undefined || asked === undefined || bound.found.index < asked.index) return undefined
  const [whole, name = ''] = asked
  const by = bucketOf(/^D\d+$/.test(name) ? draft.tag(name).text.toLowerCase() : name)
  // Mondays, and hours of the day, are not days and hours.
  if (by === 'weekday' || by === 'hour_of_day') throw new Refusal(draft.say.inexpressible(name))
  const isCounted = /(?:many|viel)/.test(whole)
  const [, digits, unit, right] = bound.found
  const left = / (N\d+) (?:is|are|was|were|of|with|a|an) $/.exec(draft.text.slice(0, bound.found.index + 1))?.[1]
  const measured = right ?? left ?? /^N\d+/.exec(bound.found[0])?.[0]
  // `Which rooms have more than 10 seats` is about each record.
  if (measured === undefined || (by === undefined && !measured.startsWith('S'))) return undefined
  if (unit !== undefined && !(measured.startsWith('N') && isOfUnit(draft.field(measured), unit)))
    throw new Refusal(draft.say.unknown([unit]), 1)
  const condition = { operator: bound.operator, value: numberOf(digits), isCounted }
  const measure = measureOf(draft, measured)
  const verb = bound.found[0].startsWith('N') ? '' : (bound.found[0].split(' ')[0] ?? '')
  // The records stay the subject.
  const values = bound.found[0].match(/V\d+/g) ?? []
  const kept = [verb, ...values, measured.startsWith('S') ? measured : ''].filter(Boolean)
  draft.take(escaped(bound.found[0]), ['·', ...kept].join(' '))
  if (measured.startsWith('N')) draft.take(measured)
  const prefix = /^(?:on|in|an) /.test(whole) ? '(?:on|in|an) ' : ''
  draft.take(`${prefix}(?:how many|wie ?vielen?|wieviele|which|what|welche[nrs]?) ${name}(?= )`)
  draft.take('in total|in all|altogether|insgesamt')
  draft.take('come in|came in|come|hinein')
  if (by === undefined) return { ...measure, condition, groupBy: [draft.field(name)], bucket: undefined }
  const field = name.startsWith('D') ? draft.field(name) : draft.takeTime()
  return { ...measure, condition, groupBy: [], bucket: { field, by } }
}

const escaped = (text: string): string => text.replaceAll(/[.≥≤<>]/g, String.raw`\$&`)

/** Returns the number of records, of different names, or the total of a column. */
function measureOf(draft: Draft, name: string): Measure {
  const aggregate = { form: 'aggregate', alsoExtreme: false } as const
  if (name.startsWith('S')) return { ...aggregate, function: 'count', field: undefined }
  const field = draft.field(name)
  if (name.startsWith('X')) return { ...aggregate, function: 'distinct', field }
  if (draft.text.includes(' average ') || draft.text.includes(' schnitt '))
    throw new Refusal(draft.say.inexpressible(draft.say.several))
  // A day is above 20 °C on average, or once.
  if (isRate(field)) throw draft.ambiguous(field, [draft.say.measure('mean', field), draft.say.single(field)])
  return { ...aggregate, function: 'sum', field }
}
