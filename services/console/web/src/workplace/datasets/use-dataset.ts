import type { Client } from '@wp/client/browser'
import { readAll } from '../../api/read-all.ts'
import { useApiQuery } from '../../session/workspace-context.tsx'
import type { Dataset, DatasetValue } from './dataset-words.ts'
import type { KnownSpace } from './names/space-labels.ts'
import { spaceToShow } from './space-to-show.ts'

const pollMs = 1000
const pageSize = 100
/** Names that a person looks through at a time. */
export const maxUnknown = 100

/** The progress of counting: the rows of the file are read, then the days that they change are counted. */
export type CountState = 'reading' | 'counting' | 'done' | 'failed'

/** Reads a dataset, again and again while its rows are read. */
export function useDataset(datasetId: string) {
  return useApiQuery(
    ['workplace', 'dataset', datasetId],
    async (api, options) => {
      const dataset = await api.solutions.getDataset({ params: { id: datasetId } }, options)
      const { last_refresh_id: id } = dataset
      const refresh = id === null ? null : await api.solutions.getDatasetRefresh({ params: { id } }, options)
      return { dataset, refresh }
    },
    { refetchInterval: ({ state: { data } }) => (data !== undefined && isReading(data) ? pollMs : false) },
  )
}

type LoadedDataset = { dataset: Dataset; refresh: Awaited<ReturnType<Client['solutions']['getDatasetRefresh']>> | null }

const isReading = ({ dataset, refresh }: LoadedDataset): boolean =>
  refresh === null ? dataset.refreshed_at === null : refresh.status === 'queued' || refresh.status === 'running'

/** Reads the names in a file, the spaces and teams that they may stand for, and the space that shows its figures. */
export function useNames(loaded: LoadedDataset | undefined) {
  const id = loaded?.dataset.id ?? ''
  const state = loaded === undefined ? '' : `${loaded.dataset.refreshed_at} ${loaded.dataset.updated_at}`
  return useApiQuery(
    ['workplace', 'dataset', id, 'names', state],
    async (api, options) => {
      const [known, unknown, spaces, teams] = await Promise.all([
        api.solutions.listDatasetValues({ params: { id }, query: { limit: pageSize } }, options),
        api.solutions.listDatasetValues({ params: { id }, query: { limit: maxUnknown, mapped: 'false' } }, options),
        readAll<KnownSpace>((query) => api.solutions.listSpaces({ query }, options)),
        readAll((query) => api.solutions.listTeams({ query }, options)),
      ])
      const isListed = loaded?.dataset.kind === 'spaces'
      const outermost = spaces.find(({ parent_id: parent }) => parent === null)
      return {
        values: known.items,
        hasMoreKnown: known.nextCursor !== null,
        unknown: unknown.items,
        hasMore: unknown.nextCursor !== null,
        spaces,
        teams,
        spaceId: isListed ? outermost?.id : spaceToShow(known.items as DatasetValue[], spaces),
      }
    },
    { enabled: loaded !== undefined && !isReading(loaded) },
  )
}

/**
 * Returns the state of counting; undefined until it is known.
 *
 * @param names the names in the file, once they are read
 */
export function useCountState(
  loaded: LoadedDataset | undefined,
  names: { spaceId: string | undefined } | undefined,
): CountState | undefined {
  const spaceId = names?.spaceId
  const isRead = loaded !== undefined && !isReading(loaded)
  const { data } = useApiQuery(
    ['workplace', 'pending-weeks', spaceId, loaded?.dataset.updated_at],
    (api, options) =>
      api.solutions.getUtilization({ query: { space_id: spaceId ?? '', interval: 'week', limit: 1 } }, options),
    {
      enabled: isRead && spaceId !== undefined,
      refetchInterval: ({ state }) => ((state.data?.meta.pending_weeks ?? 1) > 0 ? pollMs : false),
    },
  )
  if (loaded === undefined) return undefined
  if (!isRead) return 'reading'
  if (loaded.refresh?.status === 'failed') return 'failed'
  if (names === undefined) return undefined
  if (spaceId === undefined) return 'done'
  if (data === undefined) return undefined
  return data.meta.pending_weeks > 0 ? 'counting' : 'done'
}
