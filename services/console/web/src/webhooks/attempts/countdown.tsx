import { useEffect, useState } from 'react'
import { formatDuration } from '../../ui/format/format.ts'

const tickMs = 1_000

/** The time until a moment, counted down in seconds. Assistive technology gets it when it is asked for. */
export function Countdown({ until }: { until: string }) {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), tickMs)
    return () => clearInterval(timer)
  }, [])
  const left = Math.ceil((Date.parse(until) - now) / 1000) * 1000
  return (
    <time dateTime={until} title={until} style={{ fontVariantNumeric: 'tabular-nums' }}>
      {left <= 0 ? 'due now' : `in ${formatDuration(left)}`}
    </time>
  )
}
