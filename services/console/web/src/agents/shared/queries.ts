import { queryOptions, useQuery } from '@tanstack/react-query'
import { type Client, paginate } from '@wp/client/browser'
import { useApi, useWorkspaceId } from '../../session/workspace-context.tsx'

/** Items that forms offer for a choice are read up to this number. */
const maxChoices = 500
const pageSize = 100

/** Reads the pages of a list up to `maxChoices`. */
async function readAll<Item>(
  list: (query: { limit: number; cursor?: string }) => Promise<{ items: Item[]; nextCursor: string | null }>,
): Promise<Item[]> {
  const items: Item[] = []
  for await (const item of paginate((cursor) => list({ limit: pageSize, ...(cursor !== undefined && { cursor }) }))) {
    items.push(item)
    if (items.length >= maxChoices) break
  }
  return items
}

export const agentQuery = (api: Client, workspaceId: string, agentId: string) =>
  queryOptions({
    queryKey: [workspaceId, 'agents', agentId],
    queryFn: ({ signal }) => api.agents.getAgent({ params: { agent_id: agentId } }, { signal }),
  })

const toolsQuery = (api: Client, workspaceId: string) =>
  queryOptions({
    queryKey: [workspaceId, 'agent-tools'],
    queryFn: ({ signal }) => readAll((query) => api.agents.listTools({ query }, { signal })),
    staleTime: 300_000,
  })

const modelsQuery = (api: Client, workspaceId: string) =>
  queryOptions({
    queryKey: [workspaceId, 'ai-models'],
    queryFn: ({ signal }) => readAll((query) => api.ai.listModels({ query }, { signal })),
    staleTime: 60_000,
  })

const integrationsQuery = (api: Client, workspaceId: string) =>
  queryOptions({
    queryKey: [workspaceId, 'integrations', 'all'],
    queryFn: ({ signal }) => readAll((query) => api.integrations.listIntegrations({ query }, { signal })),
    staleTime: 60_000,
  })

const sourcesQuery = (api: Client, workspaceId: string) =>
  queryOptions({
    queryKey: [workspaceId, 'data', 'all-sources'],
    queryFn: ({ signal }) => readAll((query) => api.data.listSources({ query }, { signal })),
    staleTime: 60_000,
  })

const blueprintsQuery = (api: Client, workspaceId: string) =>
  queryOptions({
    queryKey: [workspaceId, 'blueprints', 'all'],
    queryFn: ({ signal }) => readAll((query) => api.agents.listBlueprints({ query }, { signal })),
  })

const agentsQuery = (api: Client, workspaceId: string) =>
  queryOptions({
    queryKey: [workspaceId, 'agents', 'all'],
    queryFn: ({ signal }) => readAll((query) => api.agents.listAgents({ query }, { signal })),
  })

export const useAgent = (agentId: string) => useQuery(agentQuery(useApi(), useWorkspaceId(), agentId))
export const useTools = () => useQuery(toolsQuery(useApi(), useWorkspaceId()))
export const useModels = () => useQuery(modelsQuery(useApi(), useWorkspaceId()))
export const useIntegrations = () => useQuery(integrationsQuery(useApi(), useWorkspaceId()))
export const useSources = () => useQuery(sourcesQuery(useApi(), useWorkspaceId()))
export const useBlueprints = () => useQuery(blueprintsQuery(useApi(), useWorkspaceId()))
export const useAgents = () => useQuery(agentsQuery(useApi(), useWorkspaceId()))
