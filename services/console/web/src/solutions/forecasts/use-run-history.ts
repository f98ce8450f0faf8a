import { useApiQuery, useCan } from '../../session/workspace-context.tsx'
import type { StepValue } from './chart-data.ts'
import { type ForecastRunDetail, runInput, seriesKeyOf } from './run-input.ts'

/** The steps before a forecast, by the key of their group. */
export interface RunHistory {
  ofGroup: (key: string) => readonly StepValue[]
  isReading: boolean
  /** The reason for which steps are missing; empty if none are. */
  note: string
}

const historyMs = 300_000
const none: readonly never[] = []

const withheldWords = {
  privacy: 'The history is not shown: of this file, only totals may be seen.',
  source_deleted: 'The history is not shown: the file was deleted.',
} as const

/** Reads the history of a finished run, in one request. */
export function useRunHistory(run: ForecastRunDetail): RunHistory {
  const can = useCan()
  const input = runInput(run)
  const isAllowed = input.data_source_id === undefined || can('data:read')
  const { data, error, isLoading } = useApiQuery(
    ['forecasts', 'history', run.id],
    async (api, options) => {
      const history = await api.solutions.getForecastHistory({ params: { id: run.id } }, options)
      const steps = history.series.map(({ key, points }) => {
        const values = points.map(({ ts, value }): StepValue => ({ time: Date.parse(ts), value }))
        return [seriesKeyOf(input, key), values] as const
      })
      const suppressed = history.series.some(({ points }) => points.some((point) => point.suppressed))
      return { withheld: history.withheld, groups: new Map(steps), suppressed }
    },
    { staleTime: historyMs, enabled: isAllowed, retry: false },
  )
  return { ofGroup: (key) => data?.groups.get(key) ?? none, isReading: isLoading, note: noteOf() }

  function noteOf(): string {
    if (!isAllowed) return 'The history is not shown: it requires the permission data:read.'
    if (error) return 'The history could not be read.'
    if (data === undefined) return ''
    if (data.withheld !== null) return withheldWords[data.withheld]
    return data.suppressed ? 'Days that would tell about too few people are left out of the history.' : ''
  }
}
