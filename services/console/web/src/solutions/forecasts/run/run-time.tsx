import { useMemo } from 'react'

/** A step of a forecast in the time zone of its run, in which its days and hours are counted; UTC is in the title. */
export function RunTime({ value, timeZone }: { value: string; timeZone: string }) {
  const format = useMemo(
    () =>
      new Intl.DateTimeFormat('en-GB', {
        timeZone,
        weekday: 'short',
        day: 'numeric',
        month: 'short',
        hour: '2-digit',
        minute: '2-digit',
      }),
    [timeZone],
  )
  return (
    <time dateTime={value} title={`${timeZone}\n${value} (UTC)`}>
      {format.format(new Date(value))}
    </time>
  )
}
