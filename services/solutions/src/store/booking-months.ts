import type { Query, Row } from '@wp/database'
import type { BookingDay, BookingMonth as BookingMonthModel } from '#db'

type Figures = 'booked' | 'used' | 'released' | 'noShows' | 'unknown' | 'minutesLost'

/** A month whose bookings are summed up to a day, which is excluded. */
export interface BookingMonth {
  /** The first day. */
  month: string
  until: string
  isOver: boolean
}

/** The day that has not ended yet at some place on earth; all before it have. */
const openDay = `(now() AT TIME ZONE 'UTC' - interval '12 hours')::date`

/** Returns the months with ended days that are not summed, in order. */
export const findDueBookingMonths = (query: Query, workspaceId: string): Promise<BookingMonth[]> =>
  query<BookingMonth>(
    `WITH present AS (
       SELECT DISTINCT date_trunc('month', day)::date AS month FROM booking_days
       WHERE workspace_id = $1 AND day < ${openDay}),
     summed AS (SELECT month, min(until) AS until FROM booking_months WHERE workspace_id = $1 GROUP BY month),
     due AS (
       SELECT month, summed.until, (month + interval '1 month')::date AS next
       FROM present FULL JOIN summed USING (month))
     SELECT month::text, least(next, ${openDay})::text AS until, next <= ${openDay} AS is_over FROM due
     WHERE until IS NULL OR until < least(next, ${openDay}) ORDER BY month`,
    [workspaceId],
  )

/** Marks the months of a week, which begins on a Monday, as not summed. Their sums remain until they are replaced. */
export async function markBookingMonths(query: Query, workspaceId: string, monday: string): Promise<void> {
  await query(
    `UPDATE booking_months SET until = month WHERE workspace_id = $1
       AND month IN (date_trunc('month', $2::date)::date, date_trunc('month', $2::date + 6)::date)`,
    [workspaceId, monday],
  )
}

export type SpaceBookingsRow = Row<BookingDay, 'spaceId' | Figures> & { day: string }

export const findBookingDaysOf = (
  query: Query,
  workspaceId: string,
  { month, until }: BookingMonth,
): Promise<SpaceBookingsRow[]> =>
  query<SpaceBookingsRow>(
    `SELECT space_id, day::text, booked, used, released, no_shows, unknown, minutes_lost FROM booking_days
     WHERE workspace_id = $1 AND day >= $2::date AND day < $3::date`,
    [workspaceId, month, until],
  )

/** Replaces the sums of a month. */
export async function replaceBookingMonth(
  query: Query,
  workspaceId: string,
  { month, until }: BookingMonth,
  cells: readonly Row<BookingMonthModel, 'spaceId' | 'weekday' | 'isSuppressed' | Figures>[],
): Promise<void> {
  await query('DELETE FROM booking_months WHERE workspace_id = $1 AND month = $2::date', [workspaceId, month])
  await query(
    `INSERT INTO booking_months (workspace_id, month, until, space_id, weekday, booked, used, released, no_shows,
       unknown, minutes_lost, is_suppressed)
     SELECT $1, $2::date, $3::date, "spaceId", weekday, booked, used, released, "noShows", unknown, "minutesLost",
       "isSuppressed"
     FROM jsonb_to_recordset($4::jsonb) AS given ("spaceId" text, weekday int, booked int, used int, released int,
       "noShows" int, unknown int, "minutesLost" int, "isSuppressed" boolean)`,
    [workspaceId, month, until, JSON.stringify(cells)],
  )
}

/** The shown bookings of one space on the same weekday of some months. */
export type BookingSums = Row<BookingMonthModel, 'spaceId' | 'weekday' | Figures> & {
  /** Months with bookings. */
  months: number
  monthsShown: number
}

/** Returns the sums of the months from one to another, which is excluded, by space and weekday. */
export const sumBookings = (
  query: Query,
  workspaceId: string,
  spaceIds: readonly string[],
  { since, until }: { since: string; until: string },
  threshold: number,
): Promise<BookingSums[]> =>
  query<BookingSums>(
    `SELECT space_id, weekday, count(*)::int AS months, (count(*) FILTER (WHERE is_shown))::int AS months_shown,
       ${['booked', 'used', 'released', 'no_shows', 'unknown', 'minutes_lost']
         .map((column) => `coalesce(sum(${column}) FILTER (WHERE is_shown), 0)::int AS ${column}`)
         .join(', ')}
     FROM booking_months,
       LATERAL (SELECT NOT is_suppressed AND booked + released NOT BETWEEN 1 AND $5::int - 1 AS is_shown) AS shown
     WHERE workspace_id = $1 AND space_id = ANY ($2) AND month >= $3::date AND month < $4::date
     GROUP BY space_id, weekday ORDER BY space_id, weekday`,
    [workspaceId, spaceIds, since, until, threshold],
  )
