import { queryOptions } from '@tanstack/react-query'
import type { Client } from '@wp/client/browser'

type Data = Client['data']
export type Source = Awaited<ReturnType<Data['getSource']>>
export type Sync = Awaited<ReturnType<Data['getSync']>>
export type DataRecord = Awaited<ReturnType<Data['getRecord']>>
export type BadRow = Sync['bad_rows'][number]

const runningPollMs = 1500

/** Returns true while a sync is queued or running. */
export const isUnfinished = ({ status }: Pick<Sync, 'status'>): boolean => status === 'queued' || status === 'running'

/** Prefix of the keys of everything about the data of a workspace. */
export const dataKey = (workspaceId: string) => [workspaceId, 'data'] as const

/** Prefix of the keys of one source, its syncs and its records. */
export const sourceKey = (workspaceId: string, sourceId: string) =>
  [...dataKey(workspaceId), 'source', sourceId] as const

/** Reads a source. */
export const sourceQuery = (api: Client, workspaceId: string, sourceId: string) =>
  queryOptions({
    queryKey: [...sourceKey(workspaceId, sourceId), 'details'],
    queryFn: ({ signal }) => api.data.getSource({ params: { data_source_id: sourceId } }, { signal }),
  })

/** Reads the newest sync of a source, again and again while it is running. */
export const latestSyncQuery = (api: Client, workspaceId: string, sourceId: string) =>
  queryOptions({
    queryKey: [...sourceKey(workspaceId, sourceId), 'latest-sync'],
    queryFn: async ({ signal }) => {
      const page = await api.data.listSyncs({ params: { data_source_id: sourceId }, query: { limit: 1 } }, { signal })
      return page.items[0] ?? null
    },
    refetchInterval: ({ state: { data } }) => (data && isUnfinished(data) ? runningPollMs : false),
  })
