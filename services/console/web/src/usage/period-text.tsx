import { formatDay } from '../ui/format/format-time.ts'
import { useReader } from '../ui/format/reader.ts'

/** The days of a billing period, which begins and ends with days of UTC. @param props.end the first time after it */
export function PeriodText({ start, end }: { start: string; end: string }) {
  const reader = useReader()
  const lastDay = new Date(Date.parse(end) - 1).toISOString()
  return (
    <span title={`${start} to ${end}`}>
      {formatDay(start, reader)} to {formatDay(lastDay, reader)}
    </span>
  )
}
