import { forecastCsv, forecastJson } from '../content/forecast-content.ts'
import type { Operation } from '../context.ts'
import { readFinishedRun } from '../runs/finished-run.ts'

export const getForecastContent: Operation<'getForecastContent'> = async (
  context,
  caller,
  { params, query: { format } },
) => {
  const { job, series } = await readFinishedRun(context, caller, params.id)
  return {
    contentType: format === 'csv' ? 'text/csv' : 'application/json',
    filename: `${job.id}.${format}`,
    // The result of a finished run does not change.
    etag: `${job.id}.${format}`,
    open: async function* () {
      yield* format === 'csv' ? forecastCsv(series) : forecastJson(series)
    },
  }
}
