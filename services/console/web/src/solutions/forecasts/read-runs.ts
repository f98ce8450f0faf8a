import { type Client, paginate } from '@wp/client/browser'
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
 * @param isEnough stops after a run that is looked for
 * @returns the runs; `isCut` if there may be more
 */
export async function readRuns(
  api: Client,
  filter: Filter,
  options: { signal?: AbortSignal },
  isEnough: (run: ForecastRun) => boolean = () => false,
): Promise<{ runs: ForecastRun[]; isCut: boolean }> {
  const runs: ForecastRun[] = []
  const list = (cursor: string | undefined) => {
    const query = { ...filter, limit: requestSize, cursor }
    return api.solutions.listForecastRuns({ query }, options)
  }
  for await (const run of paginate(list)) {
    if (runs.length === maxRuns) return { runs, isCut: true }
    runs.push(run)
    if (isEnough(run)) return { runs, isCut: true }
  }
  return { runs, isCut: false }
}
