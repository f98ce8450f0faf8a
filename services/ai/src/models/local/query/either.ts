import { isDeepStrictEqual } from 'node:util'
import { phrases } from '../language/phrases.ts'
import type { Language } from '../language/words.ts'
import { comparisons, leads } from './grammar.ts'
import { type Query, Refusal } from './query.ts'

const amount = String.raw`(?:N\d+ )?(?:(?:worth|cost|costs|wert|is|are|of|with|kosten|kostet|mit) )*(?:${comparisons.map(([, phrase]) => phrase).join('|')}) \d[\d.,]*(?: (?:eur|euros?))?(?: N\d+)?`
const item = String.raw`(?:(?:${leads}|is|are|ist|sind) )*(?:(?:X\d+ )?V\d+|(?:without )?B\d+|${amount})`
const choice = new RegExp(`(?<= )(${item}) (?:or|oder) (${item})(?= )`)

/** Returns a tagged question with one of two conditions, with the other, and with both; undefined if it has none. */
export function alternativesOf(text: string): string[] | undefined {
  const found = choice.exec(text)
  if (found === null || text.split(/ (?:or|oder) /).length !== 2) return undefined
  const [whole, first = '', second = ''] = found
  return [first, second, `${first} and ${second}`].map((part) => text.replace(whole, part))
}

/**
 * Returns the query of what has either of two conditions.
 * @param both those of one condition, of the other, and of both
 * @throws Refusal of other questions than for a number of records or a total
 */
export function eitherOf([one, other, both]: readonly Query[], language: Language): Query {
  const say = phrases[language]
  if (one === undefined || other === undefined || both === undefined) throw new Refusal(say.noSubject)
  const isNumber = ({ form, function: name, select, order, groupBy, bucket, groupCondition }: Query) =>
    (form === 'records' ? select.length === 0 : form === 'aggregate' && /^(?:count|sum)$/.test(name)) &&
    order === undefined &&
    groupBy.length === 0 &&
    bucket === undefined &&
    groupCondition === undefined
  const countOf = ({ filters }: Query) => Object.keys(filters).length
  // A negation before both is another condition on the second alone.
  const isUnion =
    isDeepStrictEqual({ ...one.filters, ...other.filters }, both.filters) &&
    [one, other].every((query) => countOf(query) === countOf(both) - 1 && query.function === both.function)
  if (![one, other, both].every(isNumber) || !isUnion) throw new Refusal(say.inexpressible(say.or))
  return { ...both, form: 'aggregate', either: [one.filters, other.filters] }
}
