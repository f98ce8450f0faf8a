const languages = ['en', 'de', 'fr', 'es', 'it', 'nl', 'pt', 'da', 'sv', 'nb', 'pl', 'cs', 'tr', 'fi', 'ru', 'ar', 'th']

/** Returns the months, from 1, by their names in lower case without points: long and short, in several languages. */
export function createMonthNames(): ReadonlyMap<string, number> {
  const months = new Map<string, number>()
  const contradictory = new Set<string>()
  for (const language of languages)
    for (const style of ['long', 'short'] as const) {
      // Some languages inflect the name of a month beside a day.
      for (const options of [{ month: style }, { month: style, day: 'numeric' }] as const) {
        const format = new Intl.DateTimeFormat(language, { ...options, timeZone: 'UTC' })
        for (let month = 1; month <= 12; month++) {
          const parts = format.formatToParts(Date.UTC(2024, month - 1, 1))
          const name = monthKey(parts.find(({ type }) => type === 'month')?.value ?? '')
          if (!/^(?:\p{L}{3,}|[\p{Script=Thai}]{2,})$/u.test(name)) continue
          if ((months.get(name) ?? month) !== month) contradictory.add(name)
          months.set(name, month)
        }
      }
    }
  for (const name of contradictory) months.delete(name)
  // As spreadsheets abbreviate the German March.
  months.set('mrz', 3)
  return months
}

/** Returns the name of a month as `createMonthNames` has it. */
export const monthKey = (name: string): string => name.replaceAll('.', '').toLowerCase()
