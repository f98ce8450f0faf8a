import type { solutions } from '@wp/contracts'
import type { z } from 'zod'
import type { SpaceDayRow, TeamDayRow, WeekRow } from '../store/utilization.ts'

type Row = z.input<typeof solutions.getUtilization.list>

/** A day of a space or team, with what is withheld left out. */
export interface ShownDay {
  day: string
  attendance: number | null
  headcount: number | null
  isSuppressed: boolean
  source: Row['source']
  attendanceSource: Row['attendance_source']
  /** True if levels include those of counters in the space. */
  isRaised: boolean
  /** True if the space opens on the day. */
  isOpen: boolean
  /** Made of the hours whose levels are shown. */
  levels: DayLevels
  /** True if hours are withheld, all of them or some. */
  hasSuppressedHours: boolean
  /** Returns the 24 hours; none without a measure that has times. Most answers need only `levels`. */
  hours(): ShownHour[]
}

export interface ShownHour {
  hour: number
  isOpen: boolean
  attendance: number | null
  level: { average: number; peak: number } | null
  isSuppressed: boolean
}

/** Sums of the averages of open hours and of all hours, and the highest peak. */
interface DayLevels {
  open: { sum: number; hours: number }
  all: { sum: number; hours: number }
  peak: number | null
}

/**
 * Returns a day of a space. A threshold that was raised applies to each figure at once, and to what could tell it as
 * soon as the week is counted again.
 */
export function shownSpaceDay(row: SpaceDayRow, threshold = 0): ShownDay {
  const isSuppressed = row.isSuppressed || isFew(row.attendance, threshold)
  const withheld = isSuppressed ? allWithheld : withheldHours(row, threshold)
  return {
    day: row.day,
    headcount: row.headcount,
    isSuppressed,
    isOpen: row.openHours !== 0,
    attendance: isSuppressed ? null : row.attendance,
    source: row.source as Row['source'], // this and the next: written by this service from these words alone
    attendanceSource: row.attendanceSource as Row['source'],
    isRaised: row.isRaised,
    levels: levelsOf(row, withheld.levels),
    hasSuppressedHours: row.hourlyAverage.length > 0 && (withheld.people | withheld.levels) !== 0,
    hours: () =>
      row.hourlyAverage.map((average, hour) => {
        const isIn = (bits: number) => (bits & (1 << hour)) !== 0
        const people = row.hourlyAttendance[hour] ?? null
        return {
          hour,
          isOpen: isIn(row.openHours),
          isSuppressed: isIn(withheld.people | withheld.levels),
          attendance: isIn(withheld.people) ? null : people,
          level: isIn(withheld.levels) ? null : { average, peak: row.hourlyPeak[hour] ?? 0 },
        }
      }),
  }
}

/** Bits of the hours in which people, and in which levels are withheld. */
interface WithheldHours {
  people: number
  levels: number
}

const allHours = 0xff_ffff
const allWithheld: WithheldHours = { people: allHours, levels: allHours }

function withheldHours(row: SpaceDayRow, threshold: number): WithheldHours {
  const withheld = { people: row.suppressedHours, levels: row.suppressedLevels | row.suppressedHours }
  // Of badges alone the peak may be of fewer people than were there in the hour.
  const isOfBadges = row.source === 'badge_events' && !row.isRaised
  for (let hour = 0; hour < row.hourlyAverage.length; hour++) {
    const hidesPeople = isFew(row.hourlyAttendance[hour] ?? null, threshold)
    if (hidesPeople) withheld.people |= 1 << hour
    if (hidesPeople || (!isOfBadges && isFew(row.hourlyPeak[hour] ?? null, threshold))) withheld.levels |= 1 << hour
  }
  return withheld
}

/**
 * Returns the levels of a day. Withheld hours are mostly those of few people, without which the average would be too
 * high, so they count as what lies between the nearest hours that are shown. Without any, there is no average.
 */
function levelsOf({ hourlyAverage, hourlyPeak, openHours }: SpaceDayRow, withheld: number): DayLevels {
  const isShown = (hour: number) => (withheld & (1 << hour)) === 0
  const shown = [...hourlyAverage.keys()].filter(isShown)
  const levelAt = (hour: number): number => {
    const before = shown.findLast((other) => other <= hour) ?? shown[0] ?? 0
    const after = shown.find((other) => other >= hour) ?? before
    const [from = 0, to = 0] = [hourlyAverage[before], hourlyAverage[after]]
    return after <= before ? from : from + ((to - from) * (hour - before)) / (after - before)
  }
  const sumOf = (hours: readonly number[]) =>
    hours.some(isShown)
      ? { sum: hours.reduce((sum, hour) => sum + levelAt(hour), 0), hours: hours.length }
      : { sum: 0, hours: 0 }
  return {
    open: sumOf([...hourlyAverage.keys()].filter((hour) => (openHours & (1 << hour)) !== 0)),
    all: sumOf([...hourlyAverage.keys()]),
    peak: shown.length === 0 ? null : Math.max(...shown.map((hour) => hourlyPeak[hour] ?? 0)),
  }
}

/** Returns the people who came on a day, or the most at a moment. */
export const peopleOf = (day: ShownDay, measure: 'attendance' | 'peak'): Pick<ShownDay, 'isSuppressed'> & People => {
  if (measure === 'attendance') return { people: day.attendance, isSuppressed: day.isSuppressed }
  const { peak } = day.levels
  return { people: peak, isSuppressed: day.isSuppressed || (day.hasSuppressedHours && peak === null) }
}

/** A number of people; null if it is withheld, or not measured. */
interface People {
  people: number | null
}

/** Returns true for a number of people that is not shown. */
const isFew = (people: number | null, threshold: number): boolean => people !== null && people > 0 && people < threshold

/** Returns a day of a team. A threshold that was raised applies at once, as for spaces. */
export function shownTeamDay(row: TeamDayRow, threshold = 0): ShownDay {
  const isSuppressed = row.isSuppressed || isFew(row.attendance, threshold)
  return {
    day: row.day,
    headcount: row.headcount,
    isSuppressed,
    hasSuppressedHours: false,
    isOpen: false,
    attendance: isSuppressed ? null : row.attendance,
    source: null,
    attendanceSource: row.source as Row['source'], // written by this service from these words alone
    isRaised: false,
    levels: { open: { sum: 0, hours: 0 }, all: { sum: 0, hours: 0 }, peak: null },
    hours: () => [],
  }
}

/** Returns the different people of a week. A threshold that was raised applies at once, as for days. */
export const shownWeek = (row: WeekRow, threshold = 0): WeekRow => ({
  ...row,
  isSuppressed: row.isSuppressed || isFew(row.attendance, threshold),
})
