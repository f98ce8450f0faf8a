import { useMemo } from 'react'
import type { Frequency } from '../run-input.ts'

/** Returns the format of the steps of a run in its time zone, in which its days and hours are counted. */
export const useStepFormat = (timeZone: string, frequency: Frequency): Intl.DateTimeFormat =>
  useMemo(
    () =>
      new Intl.DateTimeFormat('en-GB', {
        timeZone,
        weekday: 'short',
        day: 'numeric',
        month: 'short',
        ...(frequency === 'hour' && { hour: '2-digit', minute: '2-digit' }),
      }),
    [timeZone, frequency],
  )

/** A step of a forecast; zone and UTC are in the title. */
export function StepTime({ value, timeZone, frequency }: { value: string; timeZone: string; frequency: Frequency }) {
  const format = useStepFormat(timeZone, frequency)
  return (
    <time dateTime={value} title={`${timeZone}\n${value} (UTC)`}>
      {format.format(new Date(value))}
    </time>
  )
}
