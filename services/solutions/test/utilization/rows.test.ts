import { describe, expect, it } from '@jest/globals'
import type { Subject } from '../../src/utilization/combine-days.ts'
import { headcountWarning, noListWarning, raisedNotice } from '../../src/utilization/people-warnings.ts'
import { utilizationRows } from '../../src/utilization/rows.ts'
import { shownSpaceDay, shownTeamDay } from '../../src/utilization/shown-day.ts'
import { deletedWarnings, readRestsOn, unreadWarnings } from '../../src/workplace/unread-warnings.ts'

type SpaceDayRow = Parameters<typeof shownSpaceDay>[0]
type TeamDayRow = Parameters<typeof shownTeamDay>[0]

const bitsOf = (...hours: number[]) => hours.reduce((bits, hour) => bits | (1 << hour), 0)
const hourly = (values: Record<number, number>) => Array.from({ length: 24 }, (_, hour) => values[hour] ?? 0)

/** Returns a day of a space that is open from 08:00 to 10:00. */
const spaceDay = (
  day: string,
  attendance: number | null,
  {
    average = {},
    peak = {},
    ...more
  }: { average?: Record<number, number>; peak?: Record<number, number> } & Partial<SpaceDayRow>,
) =>
  shownSpaceDay({
    spaceId: 'spc_a',
    day,
    attendance,
    attendanceSource: 'badge_events',
    source: 'badge_events',
    headcount: 20,
    isRaised: false,
    openHours: bitsOf(8, 9),
    hourlyAverage: hourly(average),
    hourlyPeak: hourly(peak),
    hourlyAttendance: hourly(peak),
    isSuppressed: false,
    suppressedHours: 0,
    suppressedLevels: more.suppressedHours ?? 0,
    ...more,
  })

const space = (days: Subject['days'], more: Partial<Subject> = {}): Subject => ({
  id: { space_id: 'spc_a' },
  isTeam: false,
  capacity: 10,
  days,
  weeks: [],
  coverageOn: () => 1,
  ...more,
})

const teamDay = (day: string, attendance: number, headcount: number | null, more: Partial<TeamDayRow> = {}) =>
  shownTeamDay({ teamId: 'team_a', day, attendance, headcount, source: 'badge_events', isSuppressed: false, ...more })

const team = (...days: Subject['days']): Subject => ({
  ...space(days),
  id: { team_id: 'team_a' },
  isTeam: true,
  capacity: null,
})

/** 2 March 2026 is a Monday. */
const monday = spaceDay('2026-03-02', 12, { average: { 8: 4, 9: 8, 20: 2 }, peak: { 8: 6, 9: 10, 20: 11 } })
const withheld = spaceDay('2026-03-03', 3, { average: { 8: 3, 9: 3 }, peak: { 8: 3, 9: 3 }, isSuppressed: true })
const partly = spaceDay('2026-03-04', 7, { average: { 8: 1, 9: 5 }, peak: { 8: 2, 9: 6 }, suppressedHours: bitsOf(8) })
const nextMonday = spaceDay('2026-03-09', 20, { average: { 8: 10, 9: 14 }, peak: { 8: 12, 9: 16 } })

describe('rows by day', () => {
  it('have levels over the open hours, and the peak of all hours', () => {
    expect(utilizationRows(space([monday]), 'day')).toEqual([
      {
        space_id: 'spc_a',
        start: '2026-03-02',
        attendance: 12,
        capacity: 10,
        headcount: 20,
        days: 1,
        days_shown: 1,
        // (4 + 8) / 2; the people of the evening are no average of the day, but need a place.
        average: 6,
        share: 0.6,
        peak: 11,
        p90: 10,
        sharing_ratio: 1.8182,
        co_attendance: null,
        source: 'badge_events',
        attendance_source: 'badge_events',
        coverage: 1,
        suppressed: false,
      },
    ])
  })

  it('tell nothing of a day that is withheld but its headcount', () => {
    expect(utilizationRows(space([withheld]), 'day')).toMatchObject([
      {
        attendance: null,
        average: null,
        peak: null,
        p90: null,
        share: null,
        sharing_ratio: null,
        headcount: 20,
        suppressed: true,
      },
    ])
  })

  it('count withheld hours as what lies between those around them, and say so', () => {
    // At 7:00 no one, at 9:00 5: 2.5 at 8:00.
    expect(utilizationRows(space([partly]), 'day')).toMatchObject([
      { average: 3.75, peak: 6, p90: 6, attendance: 7, suppressed: true },
    ])
  })

  it('have the average and peaks of all hours where the space stays closed', () => {
    const busy = Object.fromEntries([10, 11, 12].map((hour) => [hour, 8]))
    const closed = spaceDay('2026-03-07', 30, { average: busy, peak: busy, openHours: 0 })
    // 3 hours of 24. The 22nd of 24 peaks; not the 30 people of the day, who were never there at once.
    expect(utilizationRows(space([closed]), 'day')).toMatchObject([{ average: 1, peak: 8, p90: 8 }])
  })

  it('have no average where all open hours are withheld', () => {
    const quiet = spaceDay('2026-03-02', 6, {
      average: { 8: 2, 9: 3 },
      peak: { 8: 3, 9: 4 },
      suppressedHours: bitsOf(8, 9),
    })
    expect(utilizationRows(space([quiet]), 'day')).toMatchObject([
      { average: null, share: null, p90: null, suppressed: true },
    ])
    // The evening is shown, but is no opening hour.
    const [week] = utilizationRows(space([quiet, monday]), 'week')
    expect(week).toMatchObject({ average: 6 })
  })

  it('have no level where only empty hours are shown beside those that are withheld', () => {
    const empty = spaceDay('2026-03-07', 6, { average: { 8: 2 }, peak: { 8: 3 }, suppressedHours: bitsOf(8) })
    expect(utilizationRows(space([empty]), 'day')).toMatchObject([
      { attendance: 6, average: null, peak: null, p90: null, share: null, suppressed: true },
    ])
    // With other days, the highest peak that is shown is higher than those that are withheld.
    expect(utilizationRows(space([empty, monday]), 'range')).toMatchObject([{ peak: 11, suppressed: true }])
    const closed = spaceDay('2026-03-08', 0, {})
    expect(utilizationRows(space([closed]), 'day')).toMatchObject([{ average: 0, peak: 0, suppressed: false }])
  })

  it('have no share without a capacity', () => {
    expect(utilizationRows(space([monday], { capacity: null }), 'day')).toMatchObject([{ share: null, average: 6 }])
    expect(utilizationRows(space([monday], { capacity: 0 }), 'day')).toMatchObject([{ share: null }])
  })
})

describe('rows by weekday and hour', () => {
  it('combine the same hours of a weekday, and tell which of them are open', () => {
    const rows = utilizationRows(space([monday, partly, nextMonday]), 'weekday_hour')
    expect(rows).toHaveLength(48)
    const [, eight, nine] = rows.filter(({ weekday, hour }) => weekday === 'mon' && [7, 8, 9].includes(hour ?? -1))
    expect(eight).toMatchObject({ average: 7, peak: 12, share: 0.7, open: true, days: 2, days_shown: 2 })
    expect(nine).toMatchObject({ average: 11, peak: 16, attendance: 13, p90: 16, suppressed: false })
    expect(rows.filter(({ open }) => open).map(({ hour }) => hour)).toEqual([8, 9, 8, 9])
    // The open hours of a weekday have its average.
    const [weekday] = utilizationRows(space([monday, nextMonday]), 'weekday')
    expect(weekday?.average).toBe(((eight?.average ?? 0) + (nine?.average ?? 0)) / 2)
  })

  it('have no level when fewer than half of the days show one', () => {
    const hidden = { average: { 8: 2, 9: 2 }, peak: { 8: 3, 9: 3 }, suppressedHours: bitsOf(8, 9) }
    const days = ['02', '03', '04'].map((day) => spaceDay(`2026-03-${day}`, 9, hidden))
    const full = spaceDay('2026-03-05', 9, { average: { 8: 9, 9: 9 }, peak: { 8: 9, 9: 9 } })
    const [few, half] = [days, days.slice(0, 1)].map((own) => utilizationRows(space([...own, full]), 'range')[0])
    expect(few).toMatchObject({ attendance: 9, average: null, peak: null, p90: null, share: null, sharing_ratio: null })
    expect(half).toMatchObject({ attendance: 9, average: 9, peak: 9, p90: 9, share: 0.9 })
  })

  it('leave withheld hours out, and are null if fewer than half are shown', () => {
    const rows = (days: Subject['days']) =>
      utilizationRows(space(days), 'weekday_hour').filter(({ hour }) => hour === 8)
    expect(rows([partly])).toMatchObject([{ average: null, peak: null, attendance: null, days: 1, days_shown: 0 }])
    const shown = spaceDay('2026-03-11', 20, { average: { 8: 10 }, peak: { 8: 12 } })
    expect(rows([partly, shown])).toMatchObject([{ average: 10, peak: 12, days: 2, days_shown: 1, suppressed: true }])
    const more = spaceDay('2026-03-18', 3, { average: { 8: 3 }, peak: { 8: 3 }, isSuppressed: true })
    expect(rows([partly, shown, more])).toMatchObject([{ average: null, share: null, days: 3, days_shown: 1 }])
  })

  it('are none of days without times', () => {
    const days = [spaceDay('2026-03-02', 8, { hourlyAverage: [], hourlyPeak: [], hourlyAttendance: [], source: null })]
    expect(utilizationRows(space(days), 'weekday_hour')).toEqual([])
  })
})

it('rows of a range combine all its days', () => {
  const [row, ...others] = utilizationRows(space([monday, withheld, nextMonday]), 'range')
  expect(others).toEqual([])
  expect(row).toMatchObject({ attendance: 16, average: 9, peak: 16, days: 3, days_shown: 2, suppressed: true })
  expect(row).not.toHaveProperty('weekday')
  expect(utilizationRows(space([]), 'range')).toEqual([])
})

describe('rows by hour', () => {
  it('are 24, with those that are withheld', () => {
    const rows = utilizationRows(space([partly]), 'hour')
    expect(rows).toHaveLength(24)
    expect(rows.map(({ suppressed }) => suppressed).indexOf(true)).toBe(8)
    expect(rows[8]).toMatchObject({
      start: '2026-03-04T08:00',
      attendance: null,
      average: null,
      peak: null,
      share: null,
    })
    expect(rows[9]).toMatchObject({
      start: '2026-03-04T09:00',
      attendance: 6,
      average: 5,
      peak: 6,
      share: 0.5,
      suppressed: false,
    })
    expect(rows[23]).toMatchObject({ start: '2026-03-04T23:00', average: 0, suppressed: false })
  })

  it('of a day that is withheld are withheld, also if none of its hours is by itself', () => {
    const rows = utilizationRows(space([withheld]), 'hour')
    expect(rows).toHaveLength(24)
    expect(
      rows.every(
        ({ suppressed, average, attendance, peak }) =>
          suppressed && average === null && attendance === null && peak === null,
      ),
    ).toBe(true)
  })

  it('have people without a level that would tell another one, which no longer row includes', () => {
    const day = spaceDay('2026-03-02', 12, {
      average: { 8: 4, 9: 8 },
      peak: { 8: 6, 9: 10 },
      suppressedLevels: bitsOf(9),
    })
    expect(utilizationRows(space([day]), 'hour')[9]).toMatchObject({
      attendance: 10,
      average: null,
      peak: null,
      share: null,
      suppressed: true,
    })
    for (const interval of ['day', 'weekday'] as const)
      expect(utilizationRows(space([day]), interval)).toMatchObject([
        { attendance: 12, average: 3, peak: 6, p90: 6, suppressed: true },
      ])
  })

  it('are withheld by a threshold that was raised, those of counters by their peak', () => {
    const row = {
      spaceId: 'spc_a',
      day: '2026-03-02',
      attendance: null,
      attendanceSource: null,
      headcount: null,
      openHours: bitsOf(8, 9),
      isRaised: false,
      isSuppressed: false,
      suppressedHours: 0,
      suppressedLevels: 0,
      hourlyAttendance: [],
      hourlyAverage: hourly({ 8: 4, 9: 8 }),
      hourlyPeak: hourly({ 8: 6, 9: 10 }),
    }
    const averages = (more: Partial<SpaceDayRow>) =>
      utilizationRows(space([shownSpaceDay({ ...row, source: 'counts', ...more }, 7)]), 'hour')
        .slice(8, 10)
        .map(({ average }) => average)
    expect(averages({})).toEqual([null, 8])
    // Seven people who were never there at once.
    expect(averages({ source: 'badge_events', hourlyAttendance: hourly({ 8: 7, 9: 10 }) })).toEqual([4, 8])
    expect(averages({ source: 'badge_events', hourlyAttendance: hourly({ 8: 6, 9: 10 }) })).toEqual([null, 8])
    // The peak may be that of a counter of a floor, which is withheld there.
    expect(averages({ source: 'badge_events', isRaised: true, hourlyAttendance: hourly({ 8: 7, 9: 10 }) })).toEqual([
      null,
      8,
    ])
  })

  it('are none of a day without a measure that has hours', () => {
    const list = spaceDay('2026-03-02', 12, { hourlyAverage: [], hourlyPeak: [], hourlyAttendance: [] })
    expect(utilizationRows(space([list]), 'hour')).toEqual([])
  })
})

describe('rows by week and weekday', () => {
  const weeks = [{ subject: 'spc_a', week: '2026-03-02', attendance: 15, isSuppressed: false }]

  it('have the different people of the week, and figures of the days and hours that are shown', () => {
    const [first, second] = utilizationRows(space([monday, withheld, partly, nextMonday], { weeks }), 'week')
    // Averages of the open hours 4, 8, 2.5 and 5; daily peaks 11 and 6.
    expect(first).toMatchObject({
      start: '2026-03-02',
      attendance: 15,
      average: 4.875,
      peak: 11,
      p90: 11,
      suppressed: true,
    })
    // A week without a row had no one.
    expect(second).toMatchObject({ start: '2026-03-09', attendance: 0, average: 12, peak: 16, suppressed: false })
  })

  it('have the 90th percentile of daily peaks, also where there is one day', () => {
    for (const interval of ['week', 'weekday', 'range'] as const)
      expect(utilizationRows(space([monday]), interval)).toMatchObject([{ peak: 11, p90: 11 }])
  })

  it('withhold the different people of a week alone', () => {
    const hidden = [{ subject: 'spc_a', week: '2026-03-02', attendance: 4, isSuppressed: true }]
    expect(utilizationRows(space([monday], { weeks: hidden }), 'week')).toMatchObject([
      { attendance: null, average: 6, suppressed: true },
    ])
  })

  it('have attendance as the mean by weekday, in the order of the week', () => {
    const rows = utilizationRows(space([partly, nextMonday, monday, withheld]), 'weekday')
    expect(
      rows.map(({ weekday, attendance, average, peak, p90 }) => [weekday, attendance, average, peak, p90]),
    ).toEqual([
      // Of 12 and 20; of 4, 8, 10 and 14; daily peaks 11 and 16.
      ['mon', 16, 9, 16, 16],
      ['tue', null, null, null, null],
      ['wed', 7, 3.75, 6, 6],
    ])
  })

  it('take the 90th percentile of the daily peaks by nearest rank', () => {
    const days = Array.from({ length: 20 }, (_, at) =>
      spaceDay(`2026-03-${String(at + 1).padStart(2, '0')}`, 30, { average: { 8: 1 }, peak: { 8: at + 1 } }),
    )
    // 1 March is a Sunday. Of the peaks 2 to 8 of the next week, 6.3 values are at most the seventh.
    expect(utilizationRows(space(days), 'week').map(({ p90 }) => p90)).toEqual([1, 8, 15, 20])
    const tens = days.slice(0, 10).map((day) => ({ ...day, day: '2026-03-02' }))
    expect(utilizationRows(space(tens), 'week').map(({ p90 }) => p90)).toEqual([9])
  })

  it('have the mean coverage of their days', () => {
    const coverageOn: Subject['coverageOn'] = ({ day }) => (day === '2026-03-02' ? 1 : 0.5)
    const [row] = utilizationRows(space([monday, partly, withheld], { coverageOn, weeks }), 'week')
    expect(row?.coverage).toBe(0.6667)
    expect(utilizationRows(space([partly], { coverageOn }), 'hour')[9]?.coverage).toBe(0.5)
  })
})

describe('rows of teams', () => {
  it('have the share of members who came, members per desk, and the share that members meet', () => {
    const days = [teamDay('2026-03-02', 6, 11), teamDay('2026-03-03', 10, 11)]
    expect(utilizationRows(team(...days), 'week')).toMatchObject([
      {
        // 8 of 11 on average. Each of 6 meets 5 of 10, each of 10 meets 9 of 10: (3 + 9) / 16.
        headcount: 11,
        share: 0.7273,
        co_attendance: 0.75,
        // The 90th percentile of the days is 10: 11 members for 10 desks.
        p90: 10,
        sharing_ratio: 1.1,
        average: null,
        peak: null,
      },
    ])
  })

  it('leave withheld days, unknown headcounts and teams of one out of co-attendance', () => {
    const meet = (...days: Subject['days']) => utilizationRows(team(...days), 'week')[0]?.co_attendance
    const known = teamDay('2026-03-02', 6, 11)
    expect(meet(known, teamDay('2026-03-03', 11, 11, { isSuppressed: true }))).toBe(0.5)
    expect(meet(known, teamDay('2026-03-03', 11, null))).toBe(0.5)
    expect(meet(teamDay('2026-03-02', 1, 1))).toBeNull()
    expect(meet(teamDay('2026-03-02', 0, 11))).toBeNull()
    // More came than are members.
    expect(meet(teamDay('2026-03-02', 12, 11))).toBe(1)
  })
})

describe('noListWarning', () => {
  const weeks = (...counts: [all: number, inNoList: number][]) =>
    counts.flatMap((count, week) =>
      ['people', 'people_in_no_list'].map((subject, at) => ({
        subject,
        week: `week ${week}`,
        attendance: count[at] ?? 0,
        isSuppressed: false,
      })),
    )
  it.each([
    ['all people in a list', weeks([50, 0]), false],
    ['29 of 100 in none', weeks([60, 20], [40, 9]), false],
    ['30 of 100 in none', weeks([60, 20], [40, 10]), true],
    ['no people at all', weeks(), false],
    ['four people of each week in none', weeks([10, 4], [10, 4], [10, 4]), false],
    // It would tell that at most four are in a list.
    ['five of nine in none', weeks([9, 5]), false],
    ['five of ten in none', weeks([10, 5]), true],
    ['enough people of one week in none, and four of others', weeks([10, 5], [10, 4], [10, 4]), false],
  ])('warns in the same words whatever the share, and not below 3 in 10 or the threshold: %s', (_, given, isWarned) => {
    const warning = expect.stringMatching(/^Of the people who were counted in all weeks, 3 in 10 or more/)
    expect(noListWarning(given, 5)).toEqual(isWarned ? [warning] : [])
    if (isWarned) expect(noListWarning(given, 5)).toEqual(noListWarning(weeks([50, 50]), 5))
  })
})

describe('deletedWarnings', () => {
  const query = (async () => [{ id: 'ds_1', name: 'Badges', kind: 'badge_events' }]) as Parameters<
    typeof deletedWarnings
  >[0]

  it.each([
    ['no dataset is gone', [['ds_1', 'Badges']], []],
    [
      'one was deleted',
      [
        ['ds_1', 'Badges'],
        ['ds_2', 'Meetings'],
      ],
      ['the dataset "Meetings" was deleted'],
    ],
    [
      'two were deleted',
      [
        ['ds_2', 'Meetings'],
        ['ds_3', 'Doors'],
      ],
      ['the datasets "Meetings" and "Doors" were deleted'],
    ],
  ])('tells that a result is stale when %s', async (_, restsOn, said) => {
    const datasets = restsOn.map(([id = '', name = '']) => ({ id, name }))
    expect(await deletedWarnings(query, 'ws_1', datasets)).toEqual(said.map((text) => expect.stringContaining(text)))
    expect(await deletedWarnings(query, 'ws_1', undefined)).toEqual([])
  })
})

describe('readRestsOn', () => {
  const table = (sql: string) => /FROM (\w+)/.exec(sql)?.[1] ?? ''
  const badges = ['Berlin', 'Munich'].map((id) => ({ id, name: id, kind: 'badge_events', spaceMap: {} }))
  const tables: Record<string, object[]> = {
    datasets: [...badges, { id: 'All', name: 'All', kind: 'people', spaceMap: {} }],
    dataset_values: badges.map(({ id }) => ({ datasetId: id, value: `${id} / EG`, rows: 9 })),
    spaces: badges.flatMap(({ id }) => [
      { id, parentId: null, name: id, externalId: null },
      { id: `${id}_0`, parentId: id, name: 'EG', externalId: null },
    ]),
  }
  const query = (async (sql: string) => tables[table(sql)]) as never // the statements that it reads
  const idsOf = async (...more: [string?, { id: string; name: string }[]?]) =>
    (await readRestsOn(query, 'ws_1', ...more)).map(({ id }) => id)

  it('leaves out the datasets of other spaces when a space is asked, but for those it rests on too', async () => {
    expect(await idsOf()).toEqual(['Berlin', 'Munich', 'All'])
    expect(await idsOf('Munich')).toEqual(['Munich', 'All'])
    const also = ['Berlin', 'Gone'].map((id) => ({ id, name: id }))
    expect(await idsOf('Munich_0', also)).toEqual(['Berlin', 'Munich', 'All'])
  })
})

describe('unreadWarnings', () => {
  const warningsOf = (names: string[], reading: string[]) =>
    unreadWarnings(
      (async (sql: string, [, exclusive]: string[]) => {
        if (sql.includes('unmapped_rows')) return []
        const rows = sql.includes('platform.jobs') ? reading.filter((name) => name === exclusive) : names
        return rows.map((name) => ({ id: name, name }))
      }) as never,
      'ws_1',
    ) // the statements that it reads

  it('tell a refresh that goes on from one that failed', async () => {
    expect(await warningsOf([], [])).toEqual([])
    expect(await warningsOf(['A'], ['A'])).toEqual([
      expect.stringMatching(/^Not all rows of the dataset "A" have been/),
    ])
    expect(await warningsOf(['A', 'B', 'C'], ['B', 'C'])).toEqual([
      expect.stringMatching(/^Not all rows of 2 datasets have been read yet: until then, figures are of the rows read/),
      expect.stringMatching(/^Reading the dataset "A" failed: figures are of the rows read so far/),
    ])
  })
})

describe('headcountWarning', () => {
  it.each([
    { of: 'fewer people than members', days: [teamDay('2026-03-02', 8, 10)], expected: [] },
    { of: 'all members', days: [teamDay('2026-03-02', 10, 10)], expected: [] },
    { of: 'no headcount', days: [teamDay('2026-03-02', 10, null)], expected: [] },
    { of: 'people who are withheld', days: [teamDay('2026-03-02', 10, 4, { isSuppressed: true })], expected: [] },
    {
      of: 'more people on one day',
      days: [teamDay('2026-03-02', 8, 10), teamDay('2026-03-03', 12, 10)],
      expected: [expect.stringContaining('members on 2026-03-03 (12 of 10)')],
    },
    {
      of: 'a typing error in the headcount',
      days: [teamDay('2026-03-02', 30, 4), teamDay('2026-03-03', 32, 4), teamDay('2026-03-04', 3, 4)],
      expected: [expect.stringContaining('members on 2 days, at most on 2026-03-03 (32 of 4)')],
    },
  ])('warns of $of: $expected.length', ({ days, expected }) => {
    expect(headcountWarning(team(...days), 'Sales')).toEqual(expected)
  })
})

describe('raisedNotice', () => {
  const of = (...days: Partial<SpaceDayRow>[]) =>
    space(
      days.map((more, at) => spaceDay(`2026-03-0${at + 2}`, null, { source: 'bookings', peak: { 8: 51 }, ...more })),
    )

  it('tells of the spaces whose levels have those of counters in them, and on how many days', () => {
    expect(raisedNotice([of({ isRaised: true }), of({})], ['House', 'EG'])).toEqual([
      expect.stringContaining('On 2026-03-02, the levels of House are those of bookings or, where it is higher, the'),
    ])
    const both = [of({ isRaised: true }), of({}, { isRaised: true, source: 'badge_events' })]
    expect(raisedNotice(both, ['House', 'EG'])).toEqual([
      expect.stringContaining('On 2 days, the levels of House and EG are those of bookings and badge events or'),
    ])
  })

  it('tells nothing when no level has, or all are withheld', () => {
    expect(raisedNotice([of({ source: 'counts' })], ['House'])).toEqual([])
    expect(raisedNotice([of({ isRaised: true, isSuppressed: true })], ['House'])).toEqual([])
  })
})
