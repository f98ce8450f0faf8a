import type { QueryClient } from '@tanstack/react-query'
import type { NewForecast } from './run-input.ts'

type InlineSeries = NonNullable<NewForecast['series']>

const keyOf = (workspaceId: string, runId: string) => [workspaceId, 'forecast-inputs', runId]

/**
 * Keeps the inline series of a run until the page is reloaded: the API returns the number of their points only, and
 * they are the history of the charts.
 */
export function rememberSeries(client: QueryClient, workspaceId: string, runId: string, series: InlineSeries): void {
  client.setQueryDefaults(keyOf(workspaceId, runId), { gcTime: Number.POSITIVE_INFINITY })
  client.setQueryData(keyOf(workspaceId, runId), series)
}

/** Returns the inline series of a run that was started here. */
export const recallSeries = (client: QueryClient, workspaceId: string, runId: string): InlineSeries | undefined =>
  client.getQueryData<InlineSeries>(keyOf(workspaceId, runId))
