import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import type { Client } from '@wp/client/browser'
import type { Scope } from '@wp/contracts'
import { createApiClient } from '../api/api-client.ts'
import { hasFirstResponses } from '../api/first-responses.ts'
import { callerQuery } from '../session/session.ts'
import { useApi, useCan, useWorkspaceId } from '../session/workspace-context.tsx'

const shown = 5

/** The queries of what the home page shows: the newest resources of the workspace. */
export const stateQueries = (workspaceId: string, api: Client) => ({
  sources: queryOptions({
    queryKey: [workspaceId, 'data', 'sources', 'home'],
    queryFn: ({ signal }) => api.data.listSources({ query: { limit: shown } }, { signal }),
  }),
  webhooks: queryOptions({
    queryKey: [workspaceId, 'webhooks', 'home'],
    queryFn: ({ signal }) => api.webhooks.listSubscriptions({ query: { limit: 100 } }, { signal }),
  }),
  runs: queryOptions({
    queryKey: [workspaceId, 'forecasts', 'home'],
    queryFn: ({ signal }) => api.solutions.listForecastRuns({ query: { limit: shown } }, { signal }),
  }),
  recommendations: queryOptions({
    queryKey: [workspaceId, 'recommendations', 'home'],
    queryFn: ({ signal }) => api.solutions.listRecommendations({ query: { status: 'open', limit: shown } }, { signal }),
  }),
  keys: queryOptions({
    queryKey: [workspaceId, 'developer', 'keys', 'home'],
    queryFn: ({ signal }) => api.auth.listApiKeys({ query: { limit: 1 } }, { signal }),
  }),
  principals: queryOptions({
    queryKey: [workspaceId, 'developer', 'principals', 'home'],
    queryFn: ({ signal }) => api.auth.listServicePrincipals({ query: { limit: 1 } }, { signal }),
  }),
  usage: queryOptions({
    queryKey: [workspaceId, 'usage', 'home'],
    queryFn: ({ signal }) => api.system.usage({}, { signal }),
  }),
})

/** The scope that each query needs. Without it, it is not made. */
export const stateScopes: Record<keyof ReturnType<typeof stateQueries>, Scope> = {
  sources: 'data:read',
  webhooks: 'webhooks:read',
  runs: 'solutions:read',
  recommendations: 'solutions:read',
  keys: 'auth:keys',
  principals: 'auth:admin',
  usage: 'workspace:read',
}

/** Later the page is shown without its content. */
const maxWaitMs = 250

/**
 * Waits for a moment for the responses to the requests that the page made first, so that the home page is rendered
 * once, with its content, instead of without it first.
 */
export async function awaitFirstState(queryClient: QueryClient, workspaceId: string): Promise<void> {
  if (!hasFirstResponses(workspaceId)) return
  const loaded = loadState(queryClient, workspaceId)
  await Promise.race([loaded, new Promise((resolve) => setTimeout(resolve, maxWaitMs))])
}

/** Reads what the home page shows into the cache. An error is shown by the component that uses the query. */
async function loadState(queryClient: QueryClient, workspaceId: string): Promise<void> {
  const api = createApiClient(workspaceId)
  const caller = callerQuery(workspaceId, api)
  await queryClient.prefetchQuery(caller)
  const scopes = queryClient.getQueryData(caller.queryKey)?.credential.scopes ?? []
  const queries = stateQueries(workspaceId, api)
  const isAllowed = (name: keyof typeof queries) => scopes.includes(stateScopes[name])
  await Promise.all([
    isAllowed('sources') && queryClient.prefetchQuery(queries.sources),
    isAllowed('webhooks') && queryClient.prefetchQuery(queries.webhooks),
    isAllowed('runs') && queryClient.prefetchQuery(queries.runs),
    isAllowed('recommendations') && queryClient.prefetchQuery(queries.recommendations),
    isAllowed('keys') && queryClient.prefetchQuery(queries.keys),
    isAllowed('principals') && queryClient.prefetchQuery(queries.principals),
    isAllowed('usage') && queryClient.prefetchQuery(queries.usage),
  ])
}

/** The newest resources of the workspace, for the home page. A query whose scope is missing is not made. */
export function useWorkspaceState() {
  const queries = stateQueries(useWorkspaceId(), useApi())
  const can = useCan()
  return {
    sources: useQuery({ ...queries.sources, enabled: can(stateScopes.sources) }),
    webhooks: useQuery({ ...queries.webhooks, enabled: can(stateScopes.webhooks) }),
    runs: useQuery({ ...queries.runs, enabled: can(stateScopes.runs) }),
    recommendations: useQuery({ ...queries.recommendations, enabled: can(stateScopes.recommendations) }),
    keys: useQuery({ ...queries.keys, enabled: can(stateScopes.keys) }),
    principals: useQuery({ ...queries.principals, enabled: can(stateScopes.principals) }),
    usage: useQuery({ ...queries.usage, enabled: can(stateScopes.usage) }),
  }
}

/** The property of a card on the home page: the query of what it shows. */
export interface CardQuery<Name extends keyof ReturnType<typeof useWorkspaceState>> {
  query: ReturnType<typeof useWorkspaceState>[Name]
}
