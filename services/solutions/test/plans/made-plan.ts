import { defaultPlanParameters } from '@wp/contracts'
import type { PlanInput, PlannedSpace } from '../../src/plans/input/plan-input.ts'
import type { ShownDay } from '../../src/utilization/rows.ts'

/** Returns a day with the average people there by hour. */
export function dayOf(attendance: number | null, averages: Readonly<Record<number, number>> = {}): ShownDay {
  return {
    ...{ day: '2026-02-24', attendance, headcount: null, isSuppressed: attendance === null, isOpen: true },
    ...{ source: 'badge_events', attendanceSource: 'badge_events', hasSuppressedHours: false, suppressedHours: 0 },
    hours: Object.entries(averages).map(([hour, average]) => ({
      ...{ hour: Number(hour), isOpen: true, attendance: null, average, peak: Math.ceil(average) },
    })),
  }
}

/** The hours 7 to 19, in which nobody else is there. */
export const emptyHours = Object.fromEntries(Array.from({ length: 13 }, (_, at) => [at + 7, 0]))

export const open = { from: 7 * 60, to: 20 * 60 }

export const spaceOf = (name: string, more: Partial<PlannedSpace> = {}): PlannedSpace => ({
  ...{ id: name, name, capacity: null, open, forecast: null, days: [] },
  ...more,
})

/** Tuesday 3 March 2026. */
export const inputOf = (more: Partial<PlanInput> = {}): PlanInput => ({
  ...{ date: '2026-03-03', timezone: 'Europe/Berlin', site: spaceOf('Berlin'), floors: [], restDay: null },
  ...{ parameters: defaultPlanParameters, forecastRunId: null, scenario: null, usedWhileClosed: [], warnings: [] },
  ...more,
})
