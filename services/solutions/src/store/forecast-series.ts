import type { Query } from '@wp/database'

/** The values of a space by day, as days after the first one of the range. */
export interface SpaceColumn {
  spaceId: string
  offsets: number[]
  values: number[]
}

export interface TeamColumn {
  teamId: string
  offsets: number[]
  values: number[]
  /** The last known one. */
  headcount: number | null
}

/** The first and the last day. */
interface Range {
  first: string
  last: string
}

export const findAttendanceColumns = (
  query: Query,
  workspaceId: string,
  spaceIds: readonly string[],
  { first, last }: Range,
): Promise<SpaceColumn[]> =>
  query<SpaceColumn>(
    `SELECT space_id, array_agg(day - $3::date ORDER BY day) AS offsets, array_agg(attendance ORDER BY day) AS values
     FROM space_days
     WHERE workspace_id = $1 AND space_id = ANY ($2) AND day BETWEEN $3::date AND $4::date AND attendance IS NOT NULL
     GROUP BY space_id`,
    [workspaceId, spaceIds, first, last],
  )

/** Returns the most people at a moment of each day. */
export const findPeakColumns = (
  query: Query,
  workspaceId: string,
  spaceIds: readonly string[],
  { first, last }: Range,
): Promise<SpaceColumn[]> =>
  query<SpaceColumn>(
    `SELECT space_id, array_agg(day - $3::date ORDER BY day) AS offsets,
       array_agg((SELECT max(level) FROM unnest(hourly_peak) AS level) ORDER BY day) AS values
     FROM space_days
     WHERE workspace_id = $1 AND space_id = ANY ($2) AND day BETWEEN $3::date AND $4::date AND hourly_peak <> '{}'
     GROUP BY space_id`,
    [workspaceId, spaceIds, first, last],
  )

/** Returns the bookings that were not cancelled. */
export const findBookingColumns = (
  query: Query,
  workspaceId: string,
  spaceIds: readonly string[],
  { first, last }: Range,
): Promise<SpaceColumn[]> =>
  query<SpaceColumn>(
    `SELECT space_id, array_agg(day - $3::date ORDER BY day) AS offsets, array_agg(booked ORDER BY day) AS values
     FROM booking_days WHERE workspace_id = $1 AND space_id = ANY ($2) AND day BETWEEN $3::date AND $4::date
     GROUP BY space_id`,
    [workspaceId, spaceIds, first, last],
  )

export const findTeamColumns = (
  query: Query,
  workspaceId: string,
  teamIds: readonly string[],
  { first, last }: Range,
): Promise<TeamColumn[]> =>
  query<TeamColumn>(
    `SELECT team_id, array_agg(day - $3::date ORDER BY day) AS offsets, array_agg(attendance ORDER BY day) AS values,
       (array_agg(headcount ORDER BY day DESC) FILTER (WHERE headcount IS NOT NULL))[1] AS headcount
     FROM team_days
     WHERE workspace_id = $1 AND team_id = ANY ($2) AND day BETWEEN $3::date AND $4::date AND attendance IS NOT NULL
     GROUP BY team_id`,
    [workspaceId, teamIds, first, last],
  )
