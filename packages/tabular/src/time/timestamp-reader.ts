import { toRfc3339 } from './format-timestamp.ts'
import { compileMatcher, type TimestampMatcher, type TimestampParts } from './match-format.ts'
import { createMonthNames } from './month-names.ts'
import { isOnWeekday, plainTimestamp } from './plain-timestamp.ts'
import { compileTimestampFormat, type TimestampReader } from './timestamp-format.ts'

/** Two-digit years are read as 2000 to 2049: later ones may be of the last century. */
const maxShortYear = 2049

/**
 * Compiles the reader of a column of times, which returns RFC 3339. Besides texts of the format it reads its variants,
 * which have the same order of the date: without the time, with or without seconds, fractions and an offset, with one
 * digit for a day, month or hour, and with words that do not change what it says.
 * @throws TimestampFormatError
 */
export function compileColumnTimes(format: string): TimestampReader {
  if (format === 'X' || format === 'x') return compileEpochReader(format)
  const monthNames = format.includes('MMM') ? createMonthNames() : undefined
  const compile = (one: string) => compileMatcher(one, monthNames)
  const first = compile(relax(format))
  let variants: TimestampMatcher[] | undefined
  const hasShortYear = !format.includes('YYYY')
  const hasStandardForm = /^YYYY-MM-DD(?:T| )HH/.test(format) && !format.includes('A')
  return (text) => {
    if (hasStandardForm && standardTime.test(text)) return text
    const parts = read(text) ?? readPlain(text)
    return parts === undefined || (hasShortYear && parts.year > maxShortYear) ? undefined : toRfc3339(parts)
  }

  function read(text: string): TimestampParts | undefined {
    let parts = first(text)
    if (parts !== undefined) return parts
    variants ??= variantsOf(relax(format)).map(compile)
    for (let at = 0; parts === undefined && at < variants.length; at++) parts = variants[at]?.(text)
    return parts
  }

  function readPlain(text: string): TimestampParts | undefined {
    const plain = plainTimestamp(text)
    const parts = plain && read(plain.text)
    if (parts === undefined) return undefined
    const day = Date.UTC(parts.year, parts.month - 1, parts.day) / 86_400_000
    return isOnWeekday(day, plain?.weekdays) ? parts : undefined
  }
}

/**
 * Times that are RFC 3339 already, of every month's first 28 days: the format of the column or one of its variants
 * reads them without a change. Most exports of programs consist of them.
 */
const standardTime =
  /^(?:1\d|2[0-4])\d\d-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{3})?(?:Z|[+-]\d{2}:\d{2})$/

function compileEpochReader(format: string): TimestampReader {
  const read = compileTimestampFormat(format)
  return (text) => read(text)?.replace('.000Z', 'Z')
}

/** Lets parts have one digit where separators show their ends. */
function relax(format: string): string {
  return format.replaceAll(/DD|MM(?!M)|HH|hh/g, (token, at: number) => {
    const isName = format.charAt(at - 1) === 'M'
    const isAdjacent = /[A-Za-z]/.test(format.charAt(at - 1)) && format.charAt(at - 1) !== 'T'
    const isFollowed = /[DMYHhms]/.test(format.charAt(at + 2))
    return isName || isAdjacent || isFollowed ? token : token.slice(0, 1)
  })
}

/** Returns the formats of the same dates with other forms of the time. */
function variantsOf(format: string): string[] {
  const [, date = format, separator = ''] = /^(.*?)(T|, | )?[Hh]{1,2}.*$/.exec(format) ?? []
  const separators = separator === '' ? [' ', 'T'] : [separator, separator === 'T' ? ' ' : 'T']
  const halves = ['h:mm A', 'h:mmA', 'h:mm:ss A', 'h:mm:ssA']
  const whole = ['H:mm', 'H:mm:ss', 'H:mm:ss.SSS', 'H:mm:ss,SSS'].flatMap((time) => [time, `${time}Z`, `${time} Z`])
  // Beside times with AM and PM, one without could be of either half of the day.
  const times = format.includes('A') ? halves : [...whole, ...halves]
  const all = separators.flatMap((before) => times.map((time) => `${date}${before}${time}`))
  return [date, ...all].filter((variant) => variant !== format)
}
