import { useWordFormat } from '../../../ui/format/format-time.ts'
import type { Frequency } from '../run-input.ts'

/** Returns the format of the steps of a run in its time zone, in which its days and hours are counted. */
export const useStepFormat = (timeZone: string, frequency: Frequency) =>
  useWordFormat(frequency === 'hour' ? 'shortTime' : 'shortWeekday', timeZone)

/** A step of a forecast; zone and UTC are in the title. */
export function StepTime({ value, timeZone, frequency }: { value: string; timeZone: string; frequency: Frequency }) {
  const format = useStepFormat(timeZone, frequency)
  return (
    <time dateTime={value} title={`${timeZone}\n${value} (UTC)`}>
      {format(value)}
    </time>
  )
}
