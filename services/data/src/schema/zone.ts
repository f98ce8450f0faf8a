/**
 * The instant at which clocks of a zone show a time. One that a change of clocks skips is taken as if the clocks had
 * not been changed yet, one that comes twice is the first (as RFC 5545, section 3.3.5).
 * @param local the time shown, as if it were UTC's, in milliseconds since 1970
 */
export function instantIn(timezone: string, local: number): number {
  if (timezone === 'UTC' || Number.isNaN(local)) return local
  // A zone changes its offset at most once within a day, so the two beside the time are all there can be.
  const [before, after] = [offsetAt(timezone, local - day), offsetAt(timezone, local + day)]
  const [early, late] = [local - before, local - after]
  return offsetAt(timezone, early) === before || offsetAt(timezone, late) !== after ? early : late
}

const day = 86_400_000

/** How far the zone's clocks are ahead of UTC, in milliseconds. */
function offsetAt(timezone: string, instant: number): number {
  const name = formatOf(timezone)
    .formatToParts(instant)
    .find(({ type }) => type === 'timeZoneName')?.value
  const [, sign, hours = '0', minutes = '0', seconds = '0'] =
    /^GMT([+-])(\d\d):(\d\d)(?::(\d\d))?$/.exec(name ?? '') ?? []
  const size = Number(hours) * 3_600_000 + Number(minutes) * 60_000 + Number(seconds) * 1_000
  return sign === '-' ? -size : size
}

const formatOf = (timeZone: string) => new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' })
