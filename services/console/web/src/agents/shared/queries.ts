import { queryOptions, useQuery } from '@tanstack/react-query'
import type { Client } from '@wp/client/browser'
import { readAll } from '../../api/read-all.ts'
import { useApi, useApiQuery, useWorkspaceId } from '../../session/workspace-context.tsx'

export const agentQuery = (api: Client, workspaceId: string, agentId: string) =>
  queryOptions({
    queryKey: [workspaceId, 'agents', agentId],
    queryFn: ({ signal }) => api.agents.getAgent({ params: { agent_id: agentId } }, { signal }),
  })

type ReadPage<Item> = (
  api: Client,
  query: { limit: number; cursor?: string },
  options: { signal: AbortSignal },
) => Promise<{ items: Item[]; nextCursor: string | null }>

/** Reads a whole list. */
const useAll = <Item>(key: readonly string[], read: ReadPage<Item>, settings: { staleTime?: number } = {}) =>
  useApiQuery(key, (api, options) => readAll((query) => read(api, query, options)), settings)

/** For lists that other pages change. */
const slow = { staleTime: 60_000 }

export const useAgent = (agentId: string) => useQuery(agentQuery(useApi(), useWorkspaceId(), agentId))
export const useTools = () =>
  useAll(['agent-tools'], (api, query, options) => api.agents.listTools({ query }, options), { staleTime: 300_000 })
export const useModels = () =>
  useAll(['ai-models'], (api, query, options) => api.ai.listModels({ query }, options), slow)
export const useIntegrations = () =>
  useAll(['integrations', 'all'], (api, query, options) => api.integrations.listIntegrations({ query }, options), slow)
export const useSources = () =>
  useAll(['data', 'all-sources'], (api, query, options) => api.data.listSources({ query }, options), slow)
export const useBlueprints = () =>
  useAll(['blueprints', 'all'], (api, query, options) => api.agents.listBlueprints({ query }, options))
export const useAgents = () =>
  useAll(['agents', 'all'], (api, query, options) => api.agents.listAgents({ query }, options))
