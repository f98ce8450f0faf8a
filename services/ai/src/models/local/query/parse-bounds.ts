import type { Draft } from './draft.ts'
import { betweenPattern, comparisonPattern, comparisons, copulas, participle } from './grammar.ts'
import { Refusal } from './query.ts'
import type { Recurrence } from './recurrences.ts'

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
  const { left, right, low = '', lowCurrency, lowUnit } = groups
  if (right?.startsWith('S') === true) throw new Refusal(draft.say.inexpressible(`${low} ${draft.tag(right).text}`))
  const named = [left, right].filter((name) => name !== undefined).map((name) => draft.field(name))
  const unit = lowCurrency ?? lowUnit
  const isOfUnit = (field: string) =>
    unit === undefined || (/percent|prozent|%/.test(unit) ? /percent|prozent|pct|rate|share/i : money).test(field)
  const isYear = /^(?:19|20)\d\d$/.test(low) && draft.fieldsOfType('timestamp').length > 0
  const numbers = draft.fieldsOfType('number').filter(isOfUnit)
  const [field, other] = new Set(named.length > 0 ? named : isYear ? [] : numbers)
  if (field === undefined || other !== undefined)
    throw draft.ambiguous(text.replaceAll(/[·\p{Lu}]\d*/gu, '').trim(), named.length > 0 ? named : numbers)
  // A column of hours holds no euros.
  if (!isOfUnit(field)) throw new Refusal(draft.say.unknown([unit ?? '']), 1)
  return field
}

/** Columns of money. */
const money =
  /eur|usd|chf|gbp|cost|price|fee|salary|revenue|amount|budget|refund|rent|kosten|preis|gebuhr|gehalt|umsatz|betrag|miete/i

/** Takes times, and binds them to the column of times that the question names, or that is the only one. */
export function takeTimes(draft: Draft): string | undefined {
  let named: string | undefined
  for (const tag of draft.left('TR')) {
    const before = draft.text.slice(0, draft.text.indexOf(` ${tag} `) + 1)
    const [column = draft.left('D')[0]] = [...before.matchAll(/(?<= )D\d+(?= )/g)].map(([name]) => name).slice(-1)
    const field = column === undefined ? (named ?? unnamedTime(draft)) : draft.field(column)
    if (column !== undefined) draft.take(column)
    const position = draft.take(tag)?.index ?? 0
    named = field
    if (tag.startsWith('R')) {
      addRecurrence(draft, field, draft.recurrences[Number(tag.slice(1))] ?? {})
      continue
    }
    const range = draft.ranges[Number(tag.slice(1))] ?? {}
    if (range.isYearless === true || range.relative !== undefined) {
      draft.unresolved.push({ field, range })
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

/** Adds days of the week or hours. @throws Refusal if there are two of a kind, or two columns of times */
function addRecurrence(draft: Draft, field: string, recurrence: Recurrence): void {
  const earlier = draft.recurring
  const isTwice = Object.keys(recurrence).some((key) => earlier !== undefined && Object.hasOwn(earlier, key))
  if (isTwice || (earlier !== undefined && earlier.field !== field) || draft.find('BE') !== undefined)
    throw new Refusal(draft.say.twoConditions(field))
  const { isEither: _compared, isExcept, ...times } = recurrence
  if (isExcept === true) draft.isExcept = true
  draft.recurring = { ...earlier, field, ...times }
}

/** Returns the only column of times, unless a state has a time of its own: `closed in May`, `were open last week`. */
function unnamedTime(draft: Draft): string {
  const [field, other] = draft.fieldsOfType('timestamp')
  if (field === undefined) throw new Refusal(draft.say.noTime(draft.source.name), 1)
  const start = draft.startOf(draft.fieldsOfType('timestamp'))
  if (other !== undefined && start === undefined) throw draft.ambiguous(draft.say.time, draft.fieldsOfType('timestamp'))
  const state = draft.left('V').find((name) => participle.test(draft.tag(name).text))
  const after = draft.find(`(?:${copulas}|been|be|got)(?: (?:still|already|not|noch|schon|nicht))* (V\\d+)`)?.[1]
  const stated = state ?? (draft.find('FULL') === undefined ? after : undefined)
  if (stated !== undefined) throw new Refusal(draft.say.noTimeOf(draft.tag(stated).text, field))
  return start ?? field
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
