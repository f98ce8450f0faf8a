import type { Query } from '@wp/database'

/** The values of a space or team by day, as days after the first one of the range. */
export interface DayColumn {
  id: string
  offsets: number[]
  values: number[]
  /** The last known one of a team. */
  headcount: number | null
}

type Asked = [workspaceId: string, ids: readonly string[], first: string, last: string]

const selectSpaceColumns = (value: string, days: string, condition: string) =>
  `SELECT space_id AS id, array_agg(day - $3::date ORDER BY day) AS offsets, array_agg(${value} ORDER BY day) AS values,
     NULL AS headcount
   FROM ${days}
   WHERE workspace_id = $1 AND space_id = ANY ($2) AND day BETWEEN $3::date AND $4::date AND ${condition}
   GROUP BY space_id`

/** Return a measure of spaces or teams, from the first to the last day. */
export const findColumns = {
  attendance: (query: Query, ...asked: Asked) =>
    query<DayColumn>(selectSpaceColumns('attendance', 'space_days', 'attendance IS NOT NULL'), asked),
  /** The most people at a moment of each day. */
  peak: (query: Query, ...asked: Asked) =>
    query<DayColumn>(
      selectSpaceColumns('(SELECT max(level) FROM unnest(hourly_peak) AS level)', 'space_days', `hourly_peak <> '{}'`),
      asked,
    ),
  /** The bookings that were not cancelled. */
  bookings: (query: Query, ...asked: Asked) =>
    query<DayColumn>(selectSpaceColumns('booked', 'booking_days', 'true'), asked),
  teams: (query: Query, ...asked: Asked) =>
    query<DayColumn>(
      `SELECT team_id AS id, array_agg(day - $3::date ORDER BY day) AS offsets, array_agg(attendance ORDER BY day) AS values,
         (array_agg(headcount ORDER BY day DESC) FILTER (WHERE headcount IS NOT NULL))[1] AS headcount
       FROM team_days
       WHERE workspace_id = $1 AND team_id = ANY ($2) AND day BETWEEN $3::date AND $4::date AND attendance IS NOT NULL
       GROUP BY team_id`,
      asked,
    ),
}
