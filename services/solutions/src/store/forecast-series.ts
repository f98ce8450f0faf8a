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

/** The days of each measure, the id of their space or team, and the value. */
const measures = {
  attendance: ['space_days', 'space_id', 'attendance'],
  peak: ['space_days', 'space_id', '(SELECT max(level) FROM unnest(hourly_peak) AS level)'],
  teams: ['team_days', 'team_id', 'attendance'],
} as const
export type HistoryMeasure = keyof typeof measures

/**
 * Returns true if one of some spaces or teams had people so many days before the last one, has values on half of these
 * days, and at least so many people on a usual one. Reads no other days.
 */
export async function hasHistory(
  query: Query,
  workspaceId: string,
  { measure, ids, last, days, people }: HistoryAsked,
): Promise<boolean> {
  const [table, id, value] = measures[measure]
  const found = await query(
    `SELECT FROM ${table} AS recent
     WHERE workspace_id = $1 AND ${id} = ANY ($2) AND day > $3::date - $4::int AND day <= $3::date AND ${value} IS NOT NULL
     GROUP BY workspace_id, ${id}
     HAVING 2 * count(*) >= $4 AND percentile_disc(0.5) WITHIN GROUP (ORDER BY ${value}) FILTER (WHERE ${value} > 0) >= $5
       AND EXISTS (SELECT FROM ${table} AS early WHERE early.workspace_id = recent.workspace_id
         AND early.${id} = recent.${id} AND day <= $3::date - $4::int + 1 AND ${value} > 0)
     LIMIT 1`,
    [workspaceId, ids, last, days, people],
  )
  return found.length > 0
}

interface HistoryAsked {
  measure: HistoryMeasure
  ids: readonly string[]
  last: string
  days: number
  people: number
}

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
