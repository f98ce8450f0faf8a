/** The languages of the exports that are read most. */
const languages = ['en', 'de', 'fr', 'es', 'it', 'nl', 'pt', 'pl']

/** 4 January 2026 is a Sunday. */
const week = Array.from({ length: 7 }, (_, day) => new Date(Date.UTC(2026, 0, 4 + day)))

const names = new Set(
  languages.flatMap((language) =>
    (['long', 'short'] as const).flatMap((weekday) => {
      const format = new Intl.DateTimeFormat(language, { weekday, timeZone: 'UTC' })
      return week.map((day) => plain(format.format(day)))
    }),
  ),
)

function plain(text: string): string {
  return text.trim().toLowerCase().replace(/\.$/, '')
}

/** Returns true for the name of a day of the week, such as `Montag`, `Mo.` or `tuesday`. */
export const isWeekdayName = (text: string): boolean => names.has(plain(text))
