import { unitPattern } from '../grammar.ts'
import { periods, type TimeRange } from './periods.ts'

/** Words before a period that say how it bounds. */
const relations: [RegExp, (range: TimeRange) => TimeRange][] = [
  [/^(?:before|prior to|earlier than|vor)$/, ({ from, ...rest }) => bound(rest, { until: from })],
  [/^(?:after|later than|nach)$/, ({ until, ...rest }) => bound(rest, { from: until })],
  [/^(?:since|starting|seit|ab|from .* on)$/, ({ from, ...rest }) => bound(rest, { from })],
  [/^(?:until|till|up to|by|through|bis|bis zum)$/, ({ until, ...rest }) => bound(rest, { until })],
]

const bound = (
  { isYearless }: TimeRange,
  { from, until }: { from?: string | undefined; until?: string | undefined },
): TimeRange => ({
  ...(from === undefined ? {} : { from }),
  ...(until === undefined ? {} : { until }),
  ...(isYearless === undefined ? {} : { isYearless }),
})

const relationWord =
  '(before|prior to|earlier than|vor|after|later than|nach|since|starting|seit|ab|until|till|up to|by|through|bis zum|bis|in|during|on|of|for|from|within|im|am|vom|fur|wahrend|in der|at)'
const during = 'in|during|im|wahrend'
/** `2000 m²`, `between 1000 and 2000` and `between 2000 and 3000` are numbers. */
const isMeasured = new RegExp(`^ (?:${unitPattern}|(?:and|und) (?!(?:19|20)\\d\\d )\\d+) `)
const isAfterNumber = / (?:between|zwischen) [\d.,]+ (?:and|und) \d{4}$/

/** `may` and `march` are verbs too: a month needs a word before it, or a day or year beside it. */
const bareVerb = /^(?:may|march|mar|sep|dec|jan)$/

/** Replaces the periods of a text in lower case by `T0`, `T1`, and returns what they stand for. */
export function takeTimeRanges(text: string, today: Date): { text: string; ranges: TimeRange[] } {
  const found: TimeRange[] = []
  const put = (range: TimeRange) => `P${found.push(range) - 1}`
  let rest = text
  for (const [pattern, read] of periods)
    rest = rest.replaceAll(
      new RegExp(String.raw`(?<= )(?:(?<=(\S+) )|)${pattern}(?= )`, 'g'),
      (match: string, ...groups: (string | number | undefined)[]) => {
        const [before, ...parts] = groups.slice(0, -2) as string[] // the groups, before the position and the text
        const end = Number(groups.at(-2)) + match.length
        // `room 2026` and `more than 2026` are numbers.
        if (
          /^(?:over|uber|under|unter|than|als|above|below|least|most|exactly|[XNS]\d+)$/.test(before ?? '') &&
          /^\d/.test(match)
        )
          return match
        if (/^\d{4}$/.test(match) && (isMeasured.test(rest.slice(end)) || isAfterNumber.test(rest.slice(0, end))))
          return match
        if (bareVerb.test(match) && !new RegExp(`^(?:${relationWord}|between|and|to|zwischen|und)$`).test(before ?? ''))
          return match
        const range = read(parts, today)
        return range === undefined ? match : put(range)
      },
    )
  const ranges: TimeRange[] = []
  const tag = (range: TimeRange) => ` T${ranges.push(range) - 1} `
  const at = (index = ''): TimeRange => found[Number(index)] ?? {}
  // The days of a week without a year are not known yet, so nothing can begin with one and end with another.
  const isBound = (...some: TimeRange[]) => some.every(({ inYear }) => inYear === undefined)
  rest = rest
    .replaceAll(
      / (?:between|zwischen|from|von|vom) (?:the )?P(\d+) (?:and|und|to|until|till|bis|through) (?:the |zum )?P(\d+) /g,
      (_m, a, b) => (isBound(at(a), at(b)) ? tag(spanOf(at(a), at(b))) : ' week '),
    )
    // `In March and April` is one time, unless the two are compared.
    .replaceAll(
      new RegExp(` (?:(?:${during}) )?P(\\d+) (?:and|und|or|oder) (?:(?:${during}) )?P(\\d+) (?!on )`, 'g'),
      (whole, a, b) => {
        const [first, second] = [at(a), at(b)]
        const isOne = isBound(first, second) && first.until !== undefined && first.until === second.from
        return isOne && !/compar|vergl|differ|unterschied|jeweils|respectively/.test(text)
          ? tag(spanOf(first, second))
          : whole
      },
    )
    .replaceAll(
      new RegExp(` (?:${relationWord} )?(?:(?:the|der|dem|den) )?P(\\d+)( on| onwards?)? `, 'g'),
      (_m, relation = '', index, on) => {
        // `from July on` has no end, while `in July on floor 1` is of a month.
        const isOpen = on !== undefined && (on !== ' on' || /^(?:from|starting|vom|von|ab)$/.test(relation))
        const word = isOpen ? 'since' : relation
        const [, apply] = relations.find(([pattern]) => pattern.test(word)) ?? []
        const range = at(index)
        if (on !== undefined && !isOpen) return `${tag(apply === undefined ? range : apply(range))}on `
        const { inYear } = range
        if (apply === undefined) return tag(range)
        if (inYear === undefined) return tag(apply(range))
        const applied = (year: number) => {
          const days = inYear(year)
          return days && apply(days)
        }
        return tag({ isYearless: true, inYear: applied })
      },
    )
  return { text: rest, ranges }
}

/** Returns the time from the beginning of one period to the end of another; two months without a year share one. */
function spanOf(first: TimeRange, second: TimeRange): TimeRange {
  const yearOf = ({ from = '' }: TimeRange) => from.slice(0, 4)
  const begin =
    first.isYearless === true && second.isYearless !== true
      ? `${yearOf(second)}${(first.from ?? '').slice(4)}`
      : first.from
  return bound(second, { from: begin, until: second.until })
}
