import { id, solutions } from '@wp/contracts'
import type { InternalCalls } from '@wp/service'
import { z } from 'zod'
import { isAllowed } from '../data/allowed-sources.ts'
import { defineTool } from '../define-tool.ts'
import { type ToolCall, ToolFailure } from '../tool.ts'
import { waitForEnd, waitSeconds } from '../wait-for-end.ts'
import { type ForecastRunView, summarizeForecast } from './summarize-forecast.ts'

const input = z.strictObject({
  forecast_run_id: id('fr'),
  wait_seconds: waitSeconds().describe('Waits so long for a forecast that has not ended'),
})

export const readForecast = (internal: InternalCalls) =>
  defineTool({
    name: 'read_forecast',
    description:
      'Reads a forecast run: of each series the model, its accuracy, totals, peaks and the next values. Waits for a run that has not ended.',
    input,
    requiredScopes: ['solutions:read'],
    async run({ forecast_run_id: runId, wait_seconds: seconds }, call) {
      const run = await waitForEnd(() => readRun(internal, call, runId), seconds, call.signal)
      return { output: summarizeForecast(run) }
    },
  })

/** @throws ToolFailure if the forecast is of a data source that the run may not read */
async function readRun(internal: InternalCalls, call: ToolCall, runId: string): Promise<ForecastRunView> {
  const run = await internal.call(solutions.getForecastRun, call.caller, { params: { id: runId } })
  if (call.dataSourceIds.length > 0 && !isAllowed(call, String(run.input.data_source_id)))
    throw new ToolFailure(`${runId} is not a forecast of the data sources of this run`)
  return run
}
