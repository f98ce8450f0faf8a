import { describePeriod } from '../forecast-words.ts'
import type { Frequency } from '../run-input.ts'

/** The periods that are offered by their names. */
const periods: readonly (readonly [Frequency, number])[] = [
  ['hour', 168],
  ['hour', 336],
  ['day', 14],
  ['day', 30],
  ['day', 90],
  ['week', 26],
]
const otherPeriod = 'other'

/** Returns the periods to choose from; of the workplace, those by day. */
export const periodOptions = (isOfWorkplace: boolean): { value: string; label: string }[] => [
  ...periods
    .filter(([frequency]) => !isOfWorkplace || frequency === 'day')
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
