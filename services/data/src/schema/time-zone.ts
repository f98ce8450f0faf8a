/**
 * Converts a local time, given as the milliseconds since 1970 of the same clock reading in UTC, to the instant in
 * milliseconds since 1970.
 */
export type LocalTimeConverter = (localMs: number) => number

const dayMs = 86_400_000
/** The range of Date, less the margin the converter needs. */
const maxInstantMs = 8.64e15 - 2 * dayMs

/** Returns the offset from UTC at an instant, both in milliseconds. */
export type OffsetReader = (instantMs: number) => number

/**
 * Creates the converter of a time zone. A local time that a clock change skips is read with the offset before the
 * change; of one that occurs twice the first is taken (RFC 5545, section 3.3.5).
 * @param timezone IANA name
 */
export function createLocalTimeConverter(timezone: string): LocalTimeConverter {
  return timezone === 'UTC' ? (localMs) => localMs : convertLocalTimes(createOffsetReader(timezone))
}

/** Creates the converter for the offsets of a time zone. */
export function convertLocalTimes(offsetAt: OffsetReader): LocalTimeConverter {
  return (localMs) => {
    if (!(Math.abs(localMs) < maxInstantMs)) return localMs
    // A zone changes its offset at most once within a day, so the offsets a day before and after are the only
    // candidates.
    const [before, after] = [offsetAt(localMs - dayMs), offsetAt(localMs + dayMs)]
    const [early, late] = [localMs - before, localMs - after]
    return offsetAt(early) === before || offsetAt(late) !== after ? early : late
  }
}

/** Creates the reader of the offsets of a time zone. @param timezone IANA name. @throws RangeError if it is unknown */
export function createOffsetReader(timezone: string): OffsetReader {
  const format = new Intl.DateTimeFormat('en', { timeZone: timezone, timeZoneName: 'longOffset' })
  return (instantMs) => offsetMsAt(format, instantMs)
}

/** Returns the offset from UTC at an instant, in milliseconds. */
function offsetMsAt(format: Intl.DateTimeFormat, instantMs: number): number {
  const name = format.formatToParts(instantMs).find(({ type }) => type === 'timeZoneName')?.value
  const [, sign, hours = '0', minutes = '0', seconds = '0'] =
    /^GMT([+-])(\d\d):(\d\d)(?::(\d\d))?$/.exec(name ?? '') ?? []
  const size = Number(hours) * 3_600_000 + Number(minutes) * 60_000 + Number(seconds) * 1_000
  return sign === '-' ? -size : size
}
