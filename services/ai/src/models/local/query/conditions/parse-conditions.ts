import { phrases } from '../../language/phrases.ts'
import { formsOf, stemOf, wordsOf, wordsOfName } from '../../language/words.ts'
import type { Parts } from '../check-reading.ts'
import { attending } from '../column-roles.ts'
import { coreOf } from '../core-name.ts'
import type { Draft } from '../draft.ts'
import { bucketOf, buckets, columnTag, comparisons, leads, spending, times, unitPattern } from '../grammar.ts'
import type { Measure } from '../measures/parse-measure.ts'
import { asksOtherPerson, columnOfQuestionWord } from '../order/order-column.ts'
import { isMoney, isRate } from '../quantities.ts'
import { type GroupCondition, type Query, Refusal } from '../query.ts'
import { isDoneBy } from '../tags/source-names.ts'
import { isOfUnit, numberOf } from './parse-amounts.ts'
import { takeExistence, takeLeft, takeValues } from './parse-values.ts'

const verbs =
  'had|has|have|with|did|do|does|were|was|are|is|there|we|come|came|hatten?|haben|hat|waren|war|gab|gibt|kamen|es|da|mit'
const subject = `${columnTag}|${buckets}`
/** Conditions between the groups and the verb: `on how many days in June were`. */
const between = `(?:[TRV]\\d+|${leads}) `

/** Takes values, states and what is missing, with the words that say nothing more. */
export function takeConditions(
  draft: Draft,
  { measure, today, isYesNo }: Pick<Parts, 'measure' | 'today' | 'isYesNo'>,
): void {
  if (draft.left('X').length === 0) draft.take('(?:only|just|all|every|nur|alle|aller)(?= (?:V\\d+ )*[SV]\\d)')
  draft.take('(?:work|works|working|based|located|arbeiten|arbeitet)(?= (?:in|at|for|bei|im) V\\d)')
  draft.take(
    `(?:uses?|used|books?|booked|visits?|visited|bucht|buchte|nutzt|benutzt\\w*|nutzten)(?= (?:(?:${leads}) )*V\\d)`,
  )
  draft.take('(?:work|works|arbeiten|arbeitet)(?= B\\d)')
  draft.take('(?:took|take|taken) place|(?:ended|end) (?:up )?(?:as|in)(?= V)|(?:endeten|endete) (?:als|mit)(?= V)')
  // `How many courses did Anna take`
  draft.take(
    `(?<=(?:did|does|do|has|have|hat|haben) (?:· )*(?:V\\d+ (?:or|and|oder|und) )?V\\d+ )(?:submit|submitted|make|made|take|taken|eingereicht|${draft.usage})`,
  )
  if ([measure?.field ?? '', ...Object.keys(draft.filters)].some((name) => attending.test(name)))
    draft.take('attend|attended|participated|teilgenommen')
  draft.take('(?<=we )(?:own|place|see|record)')
  draft.take(`(?:about|regarding|concerning|against|uber|gegen)(?= (?:(?:${leads}) )*V\\d)`)
  if (isYesNo) draft.take(`(?:anyone|anybody|someone|jemand|irgendjemand)(?= (?:(?:${leads}) )*V\\d)`)
  // `Per Funk` says the means, and `pro Funkgerät` divides.
  if (draft.say === phrases.de && draft.left('N').length === 0) draft.take('per(?= V\\d)')
  takeValues(draft, measure?.form === 'distinct' || draft.left('X').length > 0)
  takeLeft(draft, today.toISOString().slice(0, 10))
  if (isMoney(measure?.field ?? '') || draft.left('N').some((name) => isMoney(draft.field(name)))) draft.take(spending)
  takeOpen(draft)
  takeExistence(draft)
  takeVerbsOfAgents(draft)
  draft.take('ones')
  if (Object.values(draft.filters).some((value) => typeof value === 'object' && value.exists === false))
    draft.take('(?:to )?(?:anyone|anybody|someone|jemande?[mn]?)')
  // The state of a record is that of now, where it has one.
  if (Object.keys(draft.filters).length > 0)
    draft.take('(?:currently|right now|now|at the moment|derzeit|aktuell|momentan|gerade)')
}

const done = /done|clos|complet|resolv|finish|fix|erledigt|geschlossen|abgeschlossen|behoben|gel[oö]st/i

/** Takes `open`, where the only thing that says so is the time at which a record was done. */
function takeOpen(draft: Draft): void {
  const [field, other] = draft.fieldsOfType('timestamp').filter((name) => done.test(name))
  if (field === undefined || other !== undefined) return
  if (draft.source.fields.some(({ name }) => /stat(?:e|us)|zustand/i.test(name))) return
  const found = draft.take(
    '(?:(?:still|noch) )?(?:open|outstanding|unresolved|offene?[nmrs]?|ausstehend\\w*|unerledigt\\w*)',
  )
  if (found !== undefined) draft.addFilter(field, { exists: false }, found.index)
}

/** Takes `reported` of `reported by Petra`, where she is the reporter. */
function takeVerbsOfAgents(draft: Draft): void {
  const agents = Object.keys(draft.filters).flatMap((field) => coreOf(field).core)
  const verbs = draft.left('D').map((name) => ({ name, text: draft.tag(name).text }))
  for (const { name, text } of [...verbs, ...draft.unusedWords().map((word) => ({ name: word, text: word }))]) {
    const [verb] = wordsOf(text)
    if (verb !== undefined && agents.some((noun) => isDoneBy(noun, verb, draft.language))) draft.take(name)
  }
}

/** Takes words of the source's name that say nothing more: `booked a desk` of desk bookings, `spent on training`. */
export function takeNameOfRecords(draft: Draft): void {
  const names = wordsOfName(draft.source.name).map(({ plain }) => plain)
  const object = '(?:books?|booked|reserved?|bucht|buchten?|gebucht) (?:(?:a|an|any|einen?) )?(X\\d+)'
  const tag = draft.find(object)?.[1]
  if (tag !== undefined && formsOf(draft.tag(tag).text, 'en').some((form) => names.includes(form))) draft.take(object)
  if (draft.find(spending) !== undefined) draft.take(`(?:on|for|fur) (?:${names.join('|')})`)
  // `How much revenue do we make`
  draft.take('(?<=(?:how much|wie viel) N\\d+ (?:(?:do|did|we) )*)(?:make|made|earn|machen|macht|machten)')
}

/** Takes the columns that are asked for: `who is responsible`, `which vendor`, `when does it end`. */
export function takeSelected(draft: Draft): string[] {
  const others = draft.left('XN')
  const isOther = asksOtherPerson(
    draft,
    others.flatMap((name) => draft.tag(name).options.map(({ field }) => field)),
  )
  const named = others.length > 0 && !isOther ? undefined : columnOfQuestionWord(draft)
  if (named !== undefined) {
    // `Who borrowed it` asks for the borrower, and `borrowed` says nothing more.
    const verb = draft
      .left('D')
      .find((name) => stemOf(draft.tag(name).text) === stemOf(coreOf(named).core[0]?.plain ?? ''))
    if (verb !== undefined) draft.take(verb)
    for (const name of others) draft.take(name)
    return [...new Set([named, ...others.map((name) => draft.field(name))])]
  }
  const tags = draft.left('XND')
  for (const name of tags) draft.take(name)
  if (tags.length === 0 && draft.find('when|wann') !== undefined) return [draft.takeTime()]
  return [...new Set(tags.map((name) => draft.field(name)))]
}

/** Groups that are counted or listed if their number passes a bound. */
interface GroupsOfBound extends Measure, Pick<Query, 'groupBy' | 'bucket'> {
  condition: GroupCondition
}

/** Takes `on how many days were there more than 50 visitors`, `which countries have more than 100 tickets`. */
export function takeGroupCondition(draft: Draft): GroupsOfBound | undefined {
  const bound = comparisons.flatMap(([operator, phrase]) => {
    const found = draft.find(
      `(?:${verbs}|N\\d+) (?:(?:${leads}|${draft.usage}|V\\d+) )*(?:${phrase}) (\\d[\\d.,]*)(?: (?<unit>${unitPattern}))?(?: (?:of )?([SNX]\\d+|${times}))?`,
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
  if (by === 'weekday' || by === 'hour_of_day') throw draft.inexpressible(name)
  const isCounted = /(?:many|viel)/.test(whole)
  const [, digits, unit, right] = bound.found
  const left = / (N\d+) (?:is|are|was|were|of|with|a|an) $/.exec(draft.text.slice(0, bound.found.index + 1))?.[1]
  const isOfTimes = right !== undefined && !/\d/.test(right)
  const measured = right ?? left ?? /^N\d+/.exec(bound.found[0])?.[0]
  // `Which rooms have more than 10 seats` is about each record.
  if (measured === undefined || (by === undefined && !measured.startsWith('S') && !isOfTimes)) return undefined
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
  if (!/^[NX]\d/.test(name)) return { ...aggregate, function: 'count', field: undefined }
  const field = draft.field(name)
  if (name.startsWith('X')) return { ...aggregate, function: 'distinct', field }
  if (draft.text.includes(' average ') || draft.text.includes(' schnitt '))
    throw new Refusal(draft.say.inexpressible(draft.say.several))
  // A day is above 20 °C on average, or once.
  if (isRate(field)) throw draft.ambiguous(field, [draft.say.measure('mean', field), draft.say.single(field)])
  return { ...aggregate, function: 'sum', field }
}
