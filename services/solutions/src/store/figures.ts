import { fieldName, type Query } from '@wp/database'

/** Rows of one week that replace those before. */
export interface WeekRows {
  spaceDays: object[]
  teamDays: object[]
  weekAttendance: object[]
  bookingDays: object[]
  readerDays: object[]
}

/** Subjects of `week_attendance` that are no space or team: they are in no answer, but in warnings. */
export const peopleSubjects = { all: 'people', inNoList: 'people_in_no_list' } as const

const batchRows = 2_000

const tables = {
  spaceDays: {
    table: 'space_days',
    columns:
      'space_id text, day date, attendance int, attendance_source text, source text, open_hours int, hourly_attendance int[], hourly_average real[], hourly_peak int[], headcount int, is_raised boolean, is_suppressed boolean, suppressed_hours int, suppressed_levels int',
  },
  teamDays: {
    table: 'team_days',
    columns: 'team_id text, day date, attendance int, headcount int, source text, is_suppressed boolean',
  },
  bookingDays: {
    table: 'booking_days',
    columns: 'space_id text, day date, booked int, used int, released int, no_shows int, unknown int, minutes_lost int',
  },
  readerDays: {
    table: 'reader_days',
    columns: 'dataset_id text, value_id int, day date, rows int, has_failed boolean',
  },
  weekAttendance: {
    table: 'week_attendance',
    columns: 'subject text, week date, attendance int, is_suppressed boolean, usual_space_id text',
  },
} as const

/** Replaces the figures of the week that begins on a Monday. */
export async function replaceWeek(query: Query, workspaceId: string, monday: string, rows: WeekRows): Promise<void> {
  for (const [name, { table, columns }] of Object.entries(tables)) {
    const day = name === 'weekAttendance' ? 'week' : 'day'
    await query(`DELETE FROM ${table} WHERE workspace_id = $1 AND ${day} >= $2::date AND ${day} < $2::date + 7`, [
      workspaceId,
      monday,
    ])
    const names = columns.replaceAll(/ [a-z[\]]+(?=,|$)/g, '')
    const fields = columns.replaceAll(/\w+(?= )/g, (column) => `"${fieldName(column)}"`)
    const values = names.replaceAll(/\w+/g, (column) => `"${fieldName(column)}"`)
    const all = rows[name as keyof WeekRows] // the names of `tables`
    for (let at = 0; at < all.length; at += batchRows)
      await query(
        `INSERT INTO ${table} (workspace_id, ${names})
         SELECT $1, ${values} FROM jsonb_to_recordset($2::jsonb) AS given (${fields})`,
        [workspaceId, JSON.stringify(all.slice(at, at + batchRows))],
      )
  }
}
