/** A billing period: from `start`, before `end`. */
export interface Period {
  start: Date
  end: Date
}

/**
 * Returns the monthly period that contains a time. Periods begin on the day and at the time of day of the anchor (UTC);
 * in a month without that day, on its last day. The anchor's day is kept: after January 31 and February 28 comes March
 * 31.
 */
export function periodAt(anchor: Date, time: Date): Period {
  const month = (time.getUTCFullYear() - anchor.getUTCFullYear()) * 12 + time.getUTCMonth() - anchor.getUTCMonth()
  // In the month of `time` a period begins before or after `time`.
  const first = startOf(anchor, month) > time ? month - 1 : month
  return { start: startOf(anchor, first), end: startOf(anchor, first + 1) }
}

/** Returns the anchor of a workspace that never subscribed: its periods are the calendar months (UTC). */
export const calendarAnchor = new Date(0)

/** Returns the start of the period that begins so many months after the anchor. */
function startOf(anchor: Date, months: number): Date {
  const start = new Date(anchor)
  start.setUTCDate(1)
  start.setUTCMonth(start.getUTCMonth() + months)
  const lastDay = new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1, 0)).getUTCDate()
  start.setUTCDate(Math.min(anchor.getUTCDate(), lastDay))
  return start
}
