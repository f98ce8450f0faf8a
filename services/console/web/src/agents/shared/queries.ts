import { queryOptions, useQuery } from '@tanstack/react-query'
import type { Client } from '@wp/client/browser'
import { readAll } from '../../api/read-all.ts'
import { useApi, useWorkspaceId } from '../../session/workspace-context.tsx'

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
