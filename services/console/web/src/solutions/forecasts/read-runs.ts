import type { Client } from '@wp/client/browser'
import type { ForecastRun } from './run-input.ts'

const requestSize = 100
/** The most runs that are read. */
export const maxRuns = 500

interface Filter {
  status?: 'queued' | 'running' | 'finished' | 'failed' | 'cancelled'
  data_source_id?: string
}

/**
 * Reads the newest runs, page by page.
 * @param isEnough stops after a page with a run that is looked for
 * @returns the runs; `isCut` if there are more
 */
export async function readRuns(
  api: Client,
  filter: Filter,
  options: { signal?: AbortSignal },
  isEnough: (run: ForecastRun) => boolean = () => false,
): Promise<{ runs: ForecastRun[]; isCut: boolean }> {
  const runs: ForecastRun[] = []
  let cursor: string | null = null
  do {
    const query = { ...filter, limit: requestSize, ...(cursor !== null && { cursor }) }
    const page: Awaited<ReturnType<typeof api.solutions.listForecastRuns>> = await api.solutions.listForecastRuns(
      { query },
      options,
    )
    runs.push(...page.items)
    cursor = page.nextCursor
    if (page.items.some(isEnough)) break
  } while (cursor !== null && runs.length < maxRuns)
  return { runs, isCut: cursor !== null }
}
