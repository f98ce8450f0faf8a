/** The order of the fields of a date in a locale, such as `day month year`. */
type Field = 'day' | 'month' | 'year'

const numeric = (locale: string | undefined) =>
  new Intl.DateTimeFormat(locale, {
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    timeZone: 'UTC',
    calendar: 'gregory',
    numberingSystem: 'latn',
  })

const isField = (type: string): type is Field => type === 'day' || type === 'month' || type === 'year'

const orderOf = (locale: string | undefined): readonly Field[] =>
  numeric(locale)
    .formatToParts(0)
    .map(({ type }) => type)
    .filter(isField)

/** Formats a date, `2026-11-23`, in figures as a person of the locale types it: `23.11.2026`. */
export function formatTypedDay(day: string, locale: string | undefined): string {
  const at = Date.parse(`${day}T00:00:00Z`)
  return Number.isNaN(at) ? '' : numeric(locale).format(at)
}

/** Returns how a date is typed in a locale, for a placeholder: `DD.MM.YYYY`. */
export const typedDayPattern = (locale: string | undefined): string =>
  numeric(locale)
    .formatToParts(0)
    .map(({ type, value }) => (isField(type) ? { day: 'DD', month: 'MM', year: 'YYYY' }[type] : value))
    .join('')

/**
 * Reads a typed date: year first as in ISO 8601, or three figures in the order of the locale, with any separators. A
 * year of two figures is of this century. @returns `2026-11-23`, or undefined for what is no date
 */
export function parseTypedDay(text: string, locale: string | undefined): string | undefined {
  const figures = text.match(/\d+/g) ?? []
  if (figures.length !== 3 || /\p{L}/u.test(text)) return undefined
  const order: readonly Field[] = figures[0]?.length === 4 ? ['year', 'month', 'day'] : orderOf(locale)
  const field = (name: Field) => Number(figures[order.indexOf(name)])
  const year = field('year') < 100 ? 2000 + field('year') : field('year')
  const at = new Date(Date.UTC(year, field('month') - 1, field('day')))
  if (at.getUTCFullYear() !== year || at.getUTCMonth() + 1 !== field('month') || at.getUTCDate() !== field('day'))
    return undefined
  return at.toISOString().slice(0, 10)
}

/**
 * Reads a typed time of day: `9`, `9:30`, `0930`, `9.30`, `9:30 pm`. @returns `09:30`, or undefined for what is none
 */
export function parseTypedTime(text: string): string | undefined {
  const match = /^\s*(\d{1,2})(?:[:.h]?(\d{2}))?\s*([ap])?\.?m?\.?\s*$/i.exec(text)
  if (match === null) return undefined
  const [, hourText, minuteText = '0', half] = match
  let hours = Number(hourText)
  if (half !== undefined && (hours < 1 || hours > 12)) return undefined
  if (half !== undefined) hours = (hours % 12) + (half.toLowerCase() === 'p' ? 12 : 0)
  if (hours > 23 || Number(minuteText) > 59) return undefined
  return `${String(hours).padStart(2, '0')}:${minuteText.padStart(2, '0')}`
}
