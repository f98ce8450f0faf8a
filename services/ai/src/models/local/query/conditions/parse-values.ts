import { stemOf } from '../../language/words.ts'
import { ending, endWords } from '../column-roles.ts'
import { coreOf } from '../core-name.ts'
import type { Draft } from '../draft.ts'
import { columnTag, copulas, joins, leads, negations, participle } from '../grammar.ts'
import { type Condition, Refusal } from '../query.ts'
import type { KnownValue } from '../tags/tag.ts'

const valueList = `(?:(?<negation>${negations}) (?:(?:${leads}|·) )*(?:[XB]\\d+ (?=V))?)?(?<values>V\\d+(?: (?:(?:${joins}) )*(?:(?:${leads}|${negations}) )*V\\d+)*)`

/**
 * Takes values, alone, in lists of one column, and negated.
 * @param isOfGroups true if the question is about customers, and the source has a record for each of their tickets:
 *   `not open` and `open and closed` then say something about several records
 */
export function takeValues(draft: Draft, isOfGroups: boolean): void {
  for (const agent of draft.text.matchAll(/(?<= )([DBV]\d+) (?:by|von) (?:the |dem |der )?(V\d+)(?= )/g)) {
    const [did, name] = [draft.tag(agent[1] ?? '').text, draft.tag(agent[2] ?? '')]
    const isAgent = name.options.some(({ field }) => stemOf(coreOf(field).core[0]?.plain ?? '') === stemOf(did))
    // `Approved by Nordwerk` is not `approved` and `of Nordwerk`.
    if (participle.test(did) && !isAgent) throw new Refusal(draft.say.unknown([`${did} by`]), 1)
  }
  for (let found = draft.find(valueList); found !== undefined; found = draft.find(valueList)) {
    const { negation, values = '' } = found.groups ?? {}
    const words = values.split(' ')
    const lists: { field: string; values: string[]; isNot: boolean }[] = []
    let [isNot, join] = [negation !== undefined, '']
    for (const word of words) {
      if (new RegExp(`^(?:${joins})$`).test(word)) join = word
      if (new RegExp(`^(?:${negations})$`).test(word)) isNot = true
      if (!/^V\d+$/.test(word)) continue
      const { field, value } = meantValue(draft, word)
      const last = lists.at(-1)
      // `open closed` and `open or in Berlin` are no lists of one column.
      const isListed = last?.field === field && words.length > 1 && /and|or|noch|und|oder/.test(words.join(' '))
      if ((last?.field === field && !isListed) || (last?.field !== field && /^(?:n?or|oder)$/.test(join)))
        throw new Refusal(draft.say.inexpressible(draft.tag(word).text))
      const joined = words.join(' ')
      if (isListed && (/both/.test(joined) || (isOfGroups && /and|und/.test(joined)))) throw draft.inexpressible(joined)
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
  const pattern = String.raw`(?:(${negations}) (?:(?:${leads}) )*)?([XNS]\d+) (?:is |= |of |von |number |nr )?(\d+|(?:[b-z])(?! \d))`
  takeWordsBeside(draft, values)
  for (let found = draft.find(pattern); found !== undefined; found = draft.find(pattern)) {
    const [, negation, name = '', value = ''] = found
    const field = name.startsWith('S') ? recordName(draft, draft.tag(name).text) : draft.field(name)
    const isNumber = draft.fieldsOfType('number').includes(field)
    const known = values.find((known) => known.field === field && known.value.toLowerCase() === value)
    if (isNumber ? /\D/.test(value) : known === undefined)
      throw new Refusal(draft.say.unknown([`${draft.tag(name).text} ${value}`]), 1)
    const meant = known?.value ?? value
    draft.addFilter(field, negation !== undefined ? { not: meant } : isNumber ? Number(value) : meant, found.index)
    draft.take(pattern)
  }
}

/** Puts the column first in `first floor`, where a word of the grammar is a value of it. */
function takeWordsBeside(draft: Draft, values: readonly KnownValue[]): void {
  for (const { field, value } of values) {
    const word = value.toLowerCase()
    const name = /^\p{L}+$/u.test(word) ? draft.find(`${word} ([X]\\d+)`)?.[1] : undefined
    if (name === undefined || !draft.tag(name).options.some((option) => option.field === field)) continue
    const position = draft.take(`${word} ${name}`)?.index ?? 0
    draft.addFilter(field, value, position)
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

const expired = /^(?:expired|abgelaufen|ausgelaufen)$/i

/** Takes `have left` and `are expired`: the end may also be a day to come. */
export function takeLeft(draft: Draft, today: string): void {
  const [, name] =
    draft.find(String.raw`(?:have|has|had|are|is|haben|hat|sind|ist) (?:(?:·|already|schon|bereits) )*(D\d+)`) ?? []
  if (
    name === undefined ||
    !(endWords.test(draft.tag(name).text) || expired.test(draft.tag(name).text)) ||
    draft.recurring !== undefined
  )
    return
  const field = draft.field(name)
  draft.addFilter(field, { lt: today }, draft.text.indexOf(` ${name} `))
  draft.take(name)
}

const past = /(?:ed|sent|paid|sold|bought|made|done|left|given|taken|ge\p{L}+(?:t|en)|zuruck\p{L}+|be\p{L}+t)$/iu

const lacking = 'missing|lacking|fehlt|fehlen|fehlte'

/** Takes `without a customer`, `not yet returned`, `were returned`, yes-or-no columns such as `remote`. */
export function takeExistence(draft: Draft): void {
  // `Neither remote nor contractors`
  draft.take(`(?<= (?:neither|weder) .*B\\d+ )(?:nor|noch)(?= (?:(?:${leads}) )*B\\d)`, 'not')
  const missing = `(?<negation>${negations}|${lacking}) (?:(?:${leads}) )*(?<column>${columnTag})`
  for (let found = draft.find(missing); found !== undefined; found = draft.find(missing)) {
    const { column = '' } = found.groups ?? {}
    const field = draft.field(column)
    if (column.startsWith('N') && !new RegExp(`^(?:${lacking})$`).test(found.groups?.negation ?? ''))
      draft.missing.push(field)
    draft.addFilter(field, column.startsWith('B') ? draft.flag(field, false) : { exists: false }, found.index)
    draft.take(missing)
  }
  const without = `(${columnTag}) (?:(?:is|are|was|ist|sind|war) )?(?:missing|lacking|empty|blank|leer|fehlt|fehlen)`
  for (let found = draft.find(without); found !== undefined; found = draft.find(without)) {
    draft.addFilter(draft.field(found[1] ?? ''), { exists: false }, found.index)
    draft.take(without)
  }
  for (const name of draft.left('B')) {
    const field = draft.field(name)
    draft.addFilter(field, draft.flag(field, true), draft.text.indexOf(` ${name} `))
    draft.take(name)
  }
  for (const name of draft.left('D')) {
    // What was borrowed may be returned, so `is borrowed` is not what `borrowed_on` says.
    const isPast =
      draft.find(`(?:was|were|been|got|wurden?|worden) (?:(?:·|noch|schon|already|ever) )*${name}`) !== undefined
    // `The cancelled bookings`, of a time at which they ended
    const isState = ending.test(draft.field(name)) && draft.find(`${name} (?:V\\d+ )*S\\d+`) !== undefined
    if (!isPast && !isState && draft.fieldsOfType('timestamp').length > 1) continue
    if (!past.test(draft.tag(name).text) || draft.find('when|wann') !== undefined) continue
    draft.addFilter(draft.field(name), { exists: true }, draft.text.indexOf(` ${name} `))
    draft.take(name)
  }
  const present = `(?:with|mit) (?:a|an|einer?|einem) (?<column>[XD]\\d+)`
  const found = draft.find(present)
  const { column } = found?.groups ?? {}
  if (found === undefined || column === undefined) return
  draft.addFilter(draft.field(column), { exists: true }, found.index)
  draft.take(present)
}
