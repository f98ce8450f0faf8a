import { defaultPlanParameters } from '@wp/contracts'
import type { PlanInput, PlannedDay, PlannedSpace } from '../../src/plans/input/plan-input.ts'

/** Returns a day with the average people there by hour; hours that are not stated are withheld. */
export function dayOf(people: number | null, averages: Readonly<Record<number, number>> = {}): PlannedDay {
  const hourOf = (hour: number) => {
    const average = averages[hour]
    const level = average === undefined ? null : { average, peak: Math.ceil(average) }
    return { hour, isOpen: true, attendance: null, level, isSuppressed: level === null }
  }
  return {
    people,
    isSuppressed: people === null,
    hours: () => (Object.keys(averages).length === 0 ? [] : Array.from({ length: 24 }, (_, hour) => hourOf(hour))),
  }
}

/** The hours 7 to 19, in which no one else is there. */
export const emptyHours = Object.fromEntries(Array.from({ length: 13 }, (_, at) => [at + 7, 0]))

export const open = { from: 7 * 60, to: 20 * 60 }

export const spaceOf = (name: string, more: Partial<PlannedSpace> = {}): PlannedSpace => ({
  id: name,
  name,
  capacity: null,
  open,
  measure: 'attendance',
  forecast: null,
  days: [],
  ...more,
})

/** Tuesday 3 March 2026. */
export const inputOf = (more: Partial<PlanInput> = {}): PlanInput => ({
  date: '2026-03-03',
  timezone: 'Europe/Berlin',
  site: spaceOf('Berlin'),
  floors: [],
  restDay: null,
  parameters: defaultPlanParameters,
  forecastRunId: null,
  scenario: null,
  usedWhileClosed: [],
  warnings: [],
  ...more,
})
