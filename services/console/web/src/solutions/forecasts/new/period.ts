import { describePeriod } from '../forecast-words.ts'
import type { Frequency } from '../run-input.ts'

/** The periods that are offered by their names. */
const periods: readonly (readonly [Frequency, number])[] = [
  ['hour', 168],
  ['hour', 336],
  ['day', 7],
  ['day', 14],
  ['day', 30],
  ['day', 90],
  ['week', 26],
]
const otherPeriod = 'other'

/** Returns the periods to choose from; of the workplace, those by day. */
export const periodOptions = (isOfWorkplace: boolean): { value: string; label: string }[] => [
  ...periods
    // A week of a file is forecast by hour.
    .filter(([frequency, steps]) => (isOfWorkplace ? frequency === 'day' : frequency !== 'day' || steps > 7))
    .map(([frequency, horizon]) => ({
      value: `${frequency} ${horizon}`,
      label: `The next ${describePeriod(horizon, frequency)}${frequency === 'hour' ? '' : `, by ${frequency}`}`,
    })),
  { value: otherPeriod, label: isOfWorkplace ? 'Another number of days' : 'Another period' },
]

/** Returns the option of a frequency and a number of steps. */
export const periodValue = (frequency: string, horizon: string): string => {
  const value = `${frequency} ${horizon}`
  return periods.some(([step, steps]) => `${step} ${steps}` === value) ? value : otherPeriod
}

/** Returns the frequency and the number of steps of an option; undefined for another period. */
export function readPeriod(value: string): { frequency: Frequency; horizon: string } | undefined {
  const found = periods.find(([frequency, horizon]) => `${frequency} ${horizon}` === value)
  return found && { frequency: found[0], horizon: String(found[1]) }
}

/** Days of history that a forecast of the workplace needs, but for its days ahead in whole weeks. */
const baseDays = 70

/** Returns the most days ahead that a history of the workplace allows, in whole weeks; 0 if there is too little. */
export const longestHorizon = (historyDays: number): number => Math.max(0, 7 * Math.floor((historyDays - baseDays) / 7))

/** Returns the longest period by day that a history of the workplace allows; undefined if there is too little. */
export const longestPeriod = (historyDays: number): string | undefined =>
  periods
    .filter(([frequency, horizon]) => frequency === 'day' && horizon <= longestHorizon(historyDays))
    .map(([, horizon]) => String(horizon))
    .at(-1)
