import { stemOf } from '../language/words.ts'
import type { Draft } from './draft.ts'
import {
  betweenPattern,
  columnTag,
  comparisonPattern,
  comparisons,
  copulas,
  joins,
  leads,
  negations,
  participle,
} from './grammar.ts'
import { type Condition, Refusal } from './query.ts'
import { coreOf, type KnownValue } from './tag-words.ts'

/** Takes `between 5 and 10`, `more than 5 hours`. Returns true if there was one. */
export function takeBounds(draft: Draft): boolean {
  const before = draft.text
  for (let found = draft.take(betweenPattern); found !== undefined; found = draft.take(betweenPattern))
    draft.addFilter(
      boundField(draft, found),
      { gte: numberOf(found, 'low'), lte: numberOf(found, 'high') },
      found.index,
    )
  for (const [operator, phrase] of comparisons) {
    const pattern = comparisonPattern(phrase)
    for (let found = draft.take(pattern); found !== undefined; found = draft.take(pattern))
      draft.addFilter(boundField(draft, found), { [operator]: numberOf(found, 'low') }, found.index)
  }
  return draft.text !== before
}

function numberOf({ groups }: RegExpExecArray, name: string): number {
  const digits = groups?.[name] ?? ''
  return Number(/^\d{1,3}([,.]\d{3})+$/.test(digits) ? digits.replaceAll(/[,.]/g, '') : digits.replace(',', '.'))
}

/** Returns the column of a bound: the one beside it, or the only number there is. */
function boundField(draft: Draft, { 0: text, groups = {} }: RegExpExecArray): string {
  const { left, right, low = '' } = groups
  const named = [left, right].filter((name) => name !== undefined)
  const unit = groups['lowCurrency'] ?? groups['lowUnit']
  if (right?.startsWith('S') === true) throw new Refusal(draft.say.inexpressible(`${low} ${draft.tag(right).text}`))
  if (named.length > 1)
    throw draft.ambiguous(
      low,
      named.map((name) => draft.field(name)),
    )
  const isYear = /^(?:19|20)\d\d$/.test(low) && draft.fieldsOfType('timestamp').length > 0
  const numbers = draft.fieldsOfType('number')
  const [name] = named
  const isMoney = (field: string) => money.test(field)
  const possible = (groups['lowCurrency'] ?? groups['lowUnit']) ? numbers.filter(isMoney) : numbers
  const field = name === undefined ? (possible.length === 1 && !isYear ? possible[0] : undefined) : draft.field(name)
  if (field === undefined) throw draft.ambiguous(text.replaceAll('·', '').trim(), numbers)
  // A column of another unit, such as `hours`, holds no euros.
  if (unit !== undefined && !(/percent|prozent|%/.test(unit) ? /percent|prozent|pct|rate|share/i : money).test(field))
    throw new Refusal(draft.say.unknown([unit]), 1)
  return field
}

/** Columns of money. */
const money =
  /eur|usd|chf|gbp|cost|price|fee|salary|revenue|amount|budget|refund|rent|kosten|preis|gebuhr|gehalt|umsatz|betrag|miete/i

/** Takes times, and binds them to the column of times that the question names, or that is the only one. */
export function takeTimes(draft: Draft): string | undefined {
  let named: string | undefined
  for (const tag of draft.left('T')) {
    const range = draft.ranges[Number(tag.slice(1))] ?? {}
    const before = draft.text.slice(0, draft.text.indexOf(` ${tag} `) + 1)
    const [column = draft.left('D')[0]] = [...before.matchAll(/(?<= )D\d+(?= )/g)].map(([name]) => name).slice(-1)
    const field = column === undefined ? (named ?? unnamedTime(draft)) : draft.field(column)
    if (column !== undefined) draft.take(column)
    const position = draft.take(tag)?.index ?? 0
    named = field
    if (range.isYearless === true) {
      draft.yearless.push({ field, range })
    } else {
      const { from, until } = range
      draft.addFilter(
        field,
        { ...(from === undefined ? {} : { gte: from }), ...(until === undefined ? {} : { lt: until }) },
        position,
      )
    }
  }
  return named
}

/** Returns the only column of times, unless a state has a time of its own: `closed in May`, `were open last week`. */
function unnamedTime(draft: Draft): string {
  const [field, other] = draft.fieldsOfType('timestamp')
  if (field === undefined) throw new Refusal(draft.say.noTime(draft.source.name), 1)
  if (other !== undefined) throw draft.ambiguous(draft.say.time, draft.fieldsOfType('timestamp'))
  const state = draft.left('V').find((name) => participle.test(draft.tag(name).text))
  const after = draft.find(`(?:${copulas}|been|be|got)(?: (?:still|already|not|noch|schon|nicht))* (V\\d+)`)?.[1]
  const stated = state ?? after
  if (stated !== undefined) throw new Refusal(draft.say.noTimeOf(draft.tag(stated).text, field))
  return field
}

/** Takes `overdue`, if the source has a date by which something is due. */
export function takeOverdue(draft: Draft, today: string): void {
  const found = draft.take('(?:not )?(?:overdue|past due|uberfallig\\w*)')
  if (found === undefined) return
  const times = draft.fieldsOfType('timestamp')
  const due = times.filter((name) => /due|deadline|fallig|frist/i.test(name))
  const ends = times.filter((name) =>
    /return|clos|complet|resolv|paid|deliver|done|finish|zuruck|erledigt|bezahlt/i.test(name),
  )
  const [field] = due
  if (field === undefined) throw new Refusal(draft.say.unknown([found[0]]), 1)
  // Without a time of its end, what is done cannot be told from what is late.
  if (due.length > 1 || ends.length !== 1 || found[0].startsWith('not'))
    throw draft.ambiguous(found[0], [...due, ...ends])
  draft.addFilter(field, { lt: today }, found.index)
  for (const end of ends) draft.addFilter(end, { exists: false }, found.index)
}

const valueList = `(?:(?<negation>${negations}) (?:(?:${leads}) )*)?(?<values>V\\d+(?: (?:(?:${joins}) )*(?:(?:${leads}|${negations}) )*V\\d+)*)`

/**
 * Takes values, alone, in lists of one column, and negated.
 * @param isOfGroups true if the question is about customers, and the source has a record for each of their tickets: `not
 *   open` and `open and closed` then say something about several records
 */
export function takeValues(draft: Draft, isOfGroups: boolean): void {
  for (const agent of draft.text.matchAll(/(?<= )([DBV]\d+) (?:by|von) (?:the |dem |der )?(V\d+)(?= )/g)) {
    const [did, name] = [draft.tag(agent[1] ?? '').text, draft.tag(agent[2] ?? '')]
    const isAgent = name.options.some(({ field }) => stemOf(coreOf(field).core[0]?.plain ?? '') === stemOf(did))
    // `Approved by Nordwerk` is not `approved` and `of Nordwerk`.
    if (participle.test(did) && !isAgent) throw new Refusal(draft.say.unknown([`${did} by`]), 1)
  }
  for (let found = draft.find(valueList); found !== undefined; found = draft.find(valueList)) {
    const words = (found.groups?.['values'] ?? '').split(' ')
    const lists: { field: string; values: string[]; isNot: boolean }[] = []
    let [isNot, join] = [found.groups?.['negation'] !== undefined, '']
    for (const word of words) {
      if (new RegExp(`^(?:${joins})$`).test(word)) join = word
      if (new RegExp(`^(?:${negations})$`).test(word)) isNot = true
      if (!/^V\d+$/.test(word)) continue
      const { field, value } = meantValue(draft, word)
      const last = lists.at(-1)
      // `open closed` and `open or in Berlin` are no lists of one column.
      const isListed = last?.field === field && words.length > 1 && /and|or|und|oder/.test(words.join(' '))
      if ((last?.field === field && !isListed) || (last?.field !== field && /^(?:n?or|oder)$/.test(join)))
        throw new Refusal(draft.say.inexpressible(draft.tag(word).text))
      const joined = words.join(' ')
      if (isListed && (/both/.test(joined) || (isOfGroups && /and|und/.test(joined))))
        throw new Refusal(draft.say.inexpressible(joined))
      if (isNot && isOfGroups && draft.left('S').length === 0) throw new Refusal(draft.say.absent(draft.source.name))
      if (last !== undefined && isListed) last.values.push(value)
      else lists.push({ field, values: [value], isNot })
      isNot = false
      join = ''
    }
    for (const { field, values, isNot } of lists) {
      const [value = ''] = values
      const several = values.length > 1
      const condition: Condition = isNot ? { not: several ? values : value } : several ? { in: values } : value
      draft.addFilter(field, condition, found.index)
    }
    draft.take(valueList)
  }
}

/** Returns the value that a word means, and takes the column beside it: `status open`, `catering category`. */
function meantValue(draft: Draft, name: string): KnownValue {
  const { text, options } = draft.tag(name)
  const near = [`([XB]\\d+) (?:(?:${copulas}|=|${leads}) )*${name}`, `${name} ([XB]\\d+)`]
  for (const pattern of near) {
    const column = draft.find(pattern)?.[1]
    const named =
      column && options.find(({ field }) => draft.tag(column).options.some((option) => option.field === field))
    if (!column || !named) continue
    draft.take(`${column}(?= .*${name})|(?<=${name} )${column}`)
    return named
  }
  const [first, second] = options
  if (first === undefined || second !== undefined)
    throw draft.ambiguous(
      text,
      options.map(({ field }) => field),
    )
  return first
}

/** Takes a number or letter beside its column: `floor 3`, `ticket 17`, `zone B`. */
export function takeNumberedValues(draft: Draft, values: readonly KnownValue[]): void {
  const pattern = String.raw`([XNS]\d+) (?:is |= |of |von |number |nr )?(\d+|(?:[b-z])(?! \d))`
  for (let found = draft.find(pattern); found !== undefined; found = draft.find(pattern)) {
    const [, name = '', value = ''] = found
    const field = name.startsWith('S') ? recordName(draft, draft.tag(name).text) : draft.field(name)
    const isNumber = draft.fieldsOfType('number').includes(field)
    const known = values.find((known) => known.field === field && known.value.toLowerCase() === value)
    if (isNumber ? /\D/.test(value) : known === undefined)
      throw new Refusal(draft.say.unknown([`${draft.tag(name).text} ${value}`]), 1)
    draft.addFilter(field, isNumber ? Number(value) : (known?.value ?? value), found.index)
    draft.take(pattern)
  }
}

/** Returns the column that names records: `ticket` of tickets. */
function recordName(draft: Draft, text: string): string {
  const named = draft.source.fields.find(({ name }) => {
    const [word, ...more] = coreOf(name).core
    return more.length === 0 && word !== undefined && [word.plain, `${word.plain}s`].includes(text.toLowerCase())
  })
  if (named === undefined) throw new Refusal(draft.say.unknown([text]), 1)
  return named.name
}

const past = /(?:ed|sent|paid|sold|bought|made|done|left|given|taken|ge\p{L}+(?:t|en)|zuruck\p{L}+|be\p{L}+t)$/iu

/** Takes `without a customer`, `not yet returned`, `were returned`, yes-or-no columns such as `remote`. */
export function takeExistence(draft: Draft): void {
  const missing = `(?<negation>${negations}) (?:(?:${leads}) )*(?<column>${columnTag})`
  for (let found = draft.find(missing); found !== undefined; found = draft.find(missing)) {
    const column = found.groups?.['column'] ?? ''
    const field = draft.field(column)
    // A number may be 0, which is not missing.
    if (column.startsWith('N')) throw draft.ambiguous(found[0].replace(column, field), [`${field} = 0`, `${field} –`])
    draft.addFilter(field, column.startsWith('B') ? false : { exists: false }, found.index)
    draft.take(missing)
  }
  for (const name of draft.left('B')) {
    draft.addFilter(draft.field(name), true, draft.text.indexOf(` ${name} `))
    draft.take(name)
  }
  for (const name of draft.left('D')) {
    // What was borrowed may be returned, so `is borrowed` is not what `borrowed_on` says.
    const isPast =
      draft.find(`(?:was|were|been|got|wurden?|worden) (?:(?:·|noch|schon|already|ever) )*${name}`) !== undefined
    if (!isPast && draft.fieldsOfType('timestamp').length > 1) continue
    if (!past.test(draft.tag(name).text) || draft.find('when|wann') !== undefined) continue
    draft.addFilter(draft.field(name), { exists: true }, draft.text.indexOf(` ${name} `))
    draft.take(name)
  }
  const present = `(?:with|mit) (?:a|an|einer?|einem) (?<column>[XD]\\d+)`
  const found = draft.find(present)
  if (found?.groups?.['column'] === undefined) return
  draft.addFilter(draft.field(found.groups['column']), { exists: true }, found.index)
  draft.take(present)
}
