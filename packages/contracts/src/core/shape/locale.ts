import { text } from './shape.ts'

/** A language tag (BCP 47). */
export const languageTag = () =>
  text(35)
    .refine((tag) => succeeds(() => Intl.getCanonicalLocales(tag)), 'must be a language tag (BCP 47), such as de-CH')
    .meta({ examples: ['de-CH'] })

/** The locale of the reader of a file. */
export const readerLocale = () =>
  languageTag()
    .optional()
    .describe(
      'Language tag of the reader, such as `de-CH`: texts have numbers and dates as written there, and CSV is for ' +
        'the spreadsheets there: with a byte order mark, and where decimals have a comma, with it and `;` between ' +
        'columns. ' +
        'Without it, CSV is that of RFC 4180, with decimal points',
    )

/** Returns true for an IANA time zone. */
export const isTimeZone = (name: string): boolean => /^[A-Za-z]/.test(name) && isTimeZoneOrOffset(name)

/** Returns true for an IANA time zone or an offset from UTC such as `+01:00`. */
export const isTimeZoneOrOffset = (name: string): boolean =>
  !isOfJava(name) && succeeds(() => new Intl.DateTimeFormat('en', { timeZone: name }))

/** An IANA time zone. */
export const timeZone = () =>
  text(64)
    .refine(isTimeZone, 'must be an IANA time zone, such as Europe/Berlin')
    .meta({ examples: ['Europe/Berlin'] })

const shortZones = new Set('CET EET EST GMT HST MET MST PRC ROC ROK UCT UTC WET'.split(' '))

/**
 * ICU knows the names of early Java too, which are abbreviations of other zones elsewhere: its BST is Asia/Dhaka, its
 * IST Asia/Kolkata, its CST America/Chicago.
 */
const isOfJava = (name: string): boolean =>
  /^systemv\//i.test(name) || (/^[a-z]{3}$/i.test(name) && !shortZones.has(name.toUpperCase()))

function succeeds(check: () => unknown): boolean {
  try {
    check()
    return true
  } catch {
    return false
  }
}
