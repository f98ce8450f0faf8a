import type { Query } from '@wp/database'

/** The values of a space by day, as days after the first one of the range. */
interface SpaceColumn {
  spaceId: string
  offsets: number[]
  values: number[]
}

interface TeamColumn {
  teamId: string
  offsets: number[]
  values: number[]
  /** The last known one. */
  headcount: number | null
}

type Asked = [workspaceId: string, ids: readonly string[], first: string, last: string]

const selectSpaceColumns = (value: string, days: string, condition: string) =>
  `SELECT space_id, array_agg(day - $3::date ORDER BY day) AS offsets, array_agg(${value} ORDER BY day) AS values
   FROM ${days}
   WHERE workspace_id = $1 AND space_id = ANY ($2) AND day BETWEEN $3::date AND $4::date AND ${condition}
   GROUP BY space_id`

/** Return a measure of spaces, from the first to the last day. */
export const findSpaceColumns = {
  attendance: (query: Query, ...asked: Asked) =>
    query<SpaceColumn>(selectSpaceColumns('attendance', 'space_days', 'attendance IS NOT NULL'), asked),
  /** The most people at a moment of each day. */
  peak: (query: Query, ...asked: Asked) =>
    query<SpaceColumn>(
      selectSpaceColumns('(SELECT max(level) FROM unnest(hourly_peak) AS level)', 'space_days', `hourly_peak <> '{}'`),
      asked,
    ),
  /** The bookings that were not cancelled. */
  bookings: (query: Query, ...asked: Asked) =>
    query<SpaceColumn>(selectSpaceColumns('booked', 'booking_days', 'true'), asked),
}

export const findTeamColumns = (query: Query, ...asked: Asked): Promise<TeamColumn[]> =>
  query<TeamColumn>(
    `SELECT team_id, array_agg(day - $3::date ORDER BY day) AS offsets, array_agg(attendance ORDER BY day) AS values,
       (array_agg(headcount ORDER BY day DESC) FILTER (WHERE headcount IS NOT NULL))[1] AS headcount
     FROM team_days
     WHERE workspace_id = $1 AND team_id = ANY ($2) AND day BETWEEN $3::date AND $4::date AND attendance IS NOT NULL
     GROUP BY team_id`,
    asked,
  )
