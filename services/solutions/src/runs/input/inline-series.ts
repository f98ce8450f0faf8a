import { invalidField } from '@wp/contracts'
import type { TimestampReader } from '@wp/tabular'
import { quoteValue } from '../quote-value.ts'
import type { RunBody } from './run-input.ts'

/**
 * Returns the body with all times of its inline series as ISO 8601.
 * @throws Problem `validation_failed` with a pointer to the first time that cannot be read
 */
export function withIsoTimes(body: RunBody, readTime: TimestampReader): RunBody {
  const { series = [], timestamp_format: format } = body
  return {
    ...body,
    series: series.map(({ key, points }, position) => ({
      key,
      points: points.map(({ ts, value }, index) => {
        const time = readTime(ts)
        if (time === undefined) throw unreadable(`/series/${position}/points/${index}/ts`, ts, format)
        return { ts: time, value }
      }),
    })),
  }
}

const unreadable = (pointer: string, ts: string, format: string | undefined) =>
  invalidField(
    pointer,
    format === undefined
      ? `${quoteValue(ts)} is not an ISO 8601 date, or date and time; state another format in timestamp_format, for example DD.MM.YYYY HH:mm`
      : `${quoteValue(ts)} is not a time of the format ${format}`,
  )
