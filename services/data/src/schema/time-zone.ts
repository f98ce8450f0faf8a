/** The instant at which clocks show a time, which is given as if it were UTC's: both in milliseconds since 1970. */
export type LocalTimeConverter = (local: number) => number

const utc: LocalTimeConverter = (local) => local

/**
 * The clocks of a zone. A time that a change of clocks skips is taken as if they had not been changed yet, one that comes
 * twice is the first (as RFC 5545, section 3.3.5).
 * @param timezone IANA
 */
export function createLocalTimeConverter(timezone: string): LocalTimeConverter {
  if (timezone === 'UTC') return utc
  const format = new Intl.DateTimeFormat('en', { timeZone: timezone, timeZoneName: 'longOffset' })
  return (local) => {
    if (!(Math.abs(local) < maxInstantMs)) return local
    // A zone changes its offset at most once within a day, so the two beside the time are all there can be.
    const [before, after] = [offsetMsAt(format, local - day), offsetMsAt(format, local + day)]
    const [early, late] = [local - before, local - after]
    return offsetMsAt(format, early) === before || offsetMsAt(format, late) !== after ? early : late
  }
}

const day = 86_400_000
/** Beyond is no date. */
const maxInstantMs = 8.64e15 - 2 * day

/** How far clocks are ahead of UTC, in milliseconds. */
function offsetMsAt(format: Intl.DateTimeFormat, instant: number): number {
  const name = format.formatToParts(instant).find(({ type }) => type === 'timeZoneName')?.value
  const [, sign, hours = '0', minutes = '0', seconds = '0'] =
    /^GMT([+-])(\d\d):(\d\d)(?::(\d\d))?$/.exec(name ?? '') ?? []
  const size = Number(hours) * 3_600_000 + Number(minutes) * 60_000 + Number(seconds) * 1_000
  return sign === '-' ? -size : size
}
