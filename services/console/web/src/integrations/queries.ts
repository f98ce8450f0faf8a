import { queryOptions } from '@tanstack/react-query'
import type { Client } from '@wp/client/browser'

type Integrations = Client['integrations']
export type Integration = Awaited<ReturnType<Integrations['getIntegration']>>
export type Provider = Awaited<ReturnType<Integrations['listProviders']>>['items'][number]
export type TestResult = Awaited<ReturnType<Integrations['testIntegration']>>

/** Prefix of the keys of everything about the integrations of a workspace. */
export const integrationsKey = (workspaceId: string) => [workspaceId, 'integrations'] as const

/** Reads the catalogue of providers. */
export const providersQuery = (api: Client, workspaceId: string) =>
  queryOptions({
    queryKey: [...integrationsKey(workspaceId), 'providers'],
    queryFn: ({ signal }) => api.integrations.listProviders({ query: { limit: 100 } }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })

/** Reads an integration. */
export const integrationQuery = (api: Client, workspaceId: string, integrationId: string) =>
  queryOptions({
    queryKey: [...integrationsKey(workspaceId), 'details', integrationId],
    queryFn: ({ signal }) => api.integrations.getIntegration({ params: { integration_id: integrationId } }, { signal }),
  })

/** Words of the API that addresses of pages contain. They are copies, so that the initial bundle needs no contracts. */
export const integrationProviders = [
  'http',
  'postgres',
  's3',
  'smtp',
  'slack',
  'openai_compatible',
  'mcp_server',
  'google',
  'github',
] as const
export type IntegrationProvider = (typeof integrationProviders)[number]

export const integrationStates = ['pending', 'connected', 'error', 'disconnected'] as const
