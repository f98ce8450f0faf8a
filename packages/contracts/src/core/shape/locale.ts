/** Returns true for a language tag (BCP 47). */
export const isLocale = (tag: string): boolean => succeeds(() => Intl.getCanonicalLocales(tag))

/** Returns true for an IANA time zone. */
export const isTimeZone = (name: string): boolean => /^[A-Za-z]/.test(name) && isTimeZoneOrOffset(name)

/** Returns true for an IANA time zone or an offset from UTC such as `+01:00`. */
export const isTimeZoneOrOffset = (name: string): boolean =>
  succeeds(() => new Intl.DateTimeFormat('en', { timeZone: name }))

function succeeds(check: () => unknown): boolean {
  try {
    check()
    return true
  } catch {
    return false
  }
}
