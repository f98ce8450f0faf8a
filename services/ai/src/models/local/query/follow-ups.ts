import type { Phrases } from '../language/phrases.ts'
import { functions, leads } from './grammar.ts'
import { Refusal } from './query.ts'
import type { Tag } from './tags/tag.ts'
import type { TimeRange } from './times/periods.ts'
import type { Recurrence } from './times/recurrences.ts'

/** A question whose values and times are tags; see `tagWords`. */
export interface TaggedQuestion {
  text: string
  tags: readonly Tag[]
  ranges: readonly TimeRange[]
  recurrences: readonly Recurrence[]
}

const beginning = '(?:and|und|but|aber|what about|how about|was ist mit|wie ist es mit)'
/** Questions that change what is asked for, and keep the conditions. */
const share = '(?:as|in|als) (?:a )?(?:percentage|percent|share|prozent|anteil)'
const list =
  '(?:who are they|which ones|which are they|list them|show them|wer sind (?:die|sie|diese)|welche sind das|zeige? sie)'
const narrowing = String.raw`(?:only|just|nur)(?: \S+){1,4}`

/** Returns true for `And in Munich?`, which needs the question before. */
export const isFollowUp = (plain: string): boolean =>
  new RegExp(`^ ?(?:${beginning} |(?:and )?(?:${share}|${list}|${narrowing}) *$)`).test(plain)

/**
 * Returns a question with the values and times of those that followed: each takes the place of the one of its column or
 * kind, or is added. The answer says how the question was understood.
 * @throws Refusal for a follow-up with other words, or with no place for its part
 */
export function joinFollowUps(questions: readonly TaggedQuestion[], say: Phrases): TaggedQuestion {
  const [first, ...others] = questions
  if (first === undefined || isFollowUp(first.text)) throw new Refusal(say.noSubject, 1)
  return others.reduce((question, next) => join(question, next, say), first)
}

const skipped = new RegExp(`^(?:${leads}|davon|only|just|nur|ones|diese|dieser|them|these|those|there|then|dort)$`)

function join(question: TaggedQuestion, next: TaggedQuestion, say: Phrases): TaggedQuestion {
  const asked = new RegExp(`^ (?:and |und )?(?:(${share})|${list}) $`).exec(next.text)
  const counting = new RegExp(`(?<= )(?:${functions.count})(?= )`)
  if (asked !== null) {
    if (!counting.test(question.text)) throw new Refusal(say.noSubject, 1)
    return { ...question, text: question.text.replace(counting, asked[1] === undefined ? 'which' : 'percentage of') }
  }
  const words = next.text
    .replace(new RegExp(`^ ${beginning} `), ' ')
    .trim()
    .split(' ')
  const parts = words.filter((word) => !skipped.test(word))
  const isOfOneKind = new Set(parts.map((part) => part[0])).size < parts.length
  if (parts.length === 0 || isOfOneKind || !parts.every((part) => /^[VTR]\d+$/.test(part)))
    throw new Refusal(say.noSubject, 1)
  const joined = {
    tags: [...question.tags, ...next.tags],
    ranges: [...question.ranges, ...next.ranges],
    recurrences: [...question.recurrences, ...next.recurrences],
  }
  const numbers = { V: question.tags.length, T: question.ranges.length, R: question.recurrences.length }
  let { text } = question
  for (const part of parts) {
    const letter = part[0] as keyof typeof numbers // the pattern above has these alone
    const added = `${letter}${Number(part.slice(1)) + numbers[letter]}`
    const [place, other] = [...text.matchAll(new RegExp(`(?<= )${letter}\\d+(?= )`, 'g'))]
      .map(([tag]) => tag)
      .filter((tag) => isOfKind(joined, letter, [tag, added]))
    if (other !== undefined) throw new Refusal(say.noSubject, 1)
    text = place === undefined ? `${text}${added} ` : text.replace(` ${place} `, ` ${added} `)
  }
  return { text, ...joined }
}

/** Returns true for values of one column, two periods, and days of the week or hours both. */
function isOfKind(
  { tags, recurrences }: Omit<TaggedQuestion, 'text'>,
  letter: 'V' | 'T' | 'R',
  names: readonly string[],
): boolean {
  const indexes = names.map((name) => Number(name.slice(1)))
  if (letter === 'T') return true
  if (letter === 'R') return new Set(indexes.map((index) => recurrences[index]?.weekdays === undefined)).size === 1
  const [fields = [], others = []] = indexes.map((index) => tags[index]?.options.map(({ field }) => field))
  return fields.some((field) => others.includes(field))
}
