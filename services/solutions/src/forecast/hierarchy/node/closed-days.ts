import { daysAfterMonday } from '../../../workplace/local-days.ts'
import type { History, Model } from '../../models/index.ts'

/**
 * The weeks that tell a weekday is closed (small teams have rare values), and how many of them must have been observed.
 */
const closedWeeks = 52
const minClosedWeeks = 6

/** Sets the forecast of a model to 0 on weekdays on which the last year of the history had no value but 0. */
export function withClosedDays(model: Model): Model {
  return {
    ...model,
    predict: (history, cells) => {
      const weekdays = closedWeekdays(history)
      const next = history.first + history.values.length
      return model
        .predict(history, cells)
        .map((value, ahead) => (weekdays.has(daysAfterMonday(next + ahead)) ? 0 : value))
    },
  }
}

function closedWeekdays({ first, values, observed }: History): ReadonlySet<number> {
  const isOpen = new Uint8Array(7)
  const seen = new Uint8Array(7)
  for (let index = Math.max(0, values.length - 7 * closedWeeks); index < values.length; index += 1) {
    if (observed?.[index] === 0) continue
    const weekday = daysAfterMonday(first + index)
    seen[weekday] = (seen[weekday] ?? 0) + 1
    if (values[index] !== 0) isOpen[weekday] = 1
  }
  return new Set([...seen.keys()].filter((weekday) => !isOpen[weekday] && (seen[weekday] ?? 0) >= minClosedWeeks))
}
