import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import type { Client } from '@wp/client/browser'
import type { Scope } from '@wp/contracts'
import { createApiClient } from '../api/api-client.ts'
import { hasFirstResponses } from '../api/first-responses.ts'
import { callerQuery } from '../session/session.ts'
import { useApi, useApiQuery, useCan, useIsCallerKnown, useWorkspaceId } from '../session/workspace-context.tsx'

const shown = 5

/** The queries of what the home page shows first: the newest resources of the workspace. */
const stateQueries = (workspaceId: string, api: Client) => ({
  sites: queryOptions({
    queryKey: [workspaceId, 'spaces', 'home'],
    queryFn: ({ signal }) => api.solutions.listSpaces({ query: { kind: 'site', limit: 100 } }, { signal }),
  }),
  sources: queryOptions({
    queryKey: [workspaceId, 'data', 'sources', 'home'],
    queryFn: ({ signal }) => api.data.listSources({ query: { limit: 100 } }, { signal }),
  }),
  webhooks: queryOptions({
    queryKey: [workspaceId, 'webhooks', 'home'],
    queryFn: ({ signal }) => api.webhooks.listSubscriptions({ query: { limit: 100 } }, { signal }),
  }),
  destinations: queryOptions({
    queryKey: [workspaceId, 'webhooks', 'destinations', 'home'],
    queryFn: ({ signal }) => api.webhooks.listDestinations({ query: { limit: 100 } }, { signal }),
  }),
  runs: queryOptions({
    queryKey: [workspaceId, 'forecasts', 'home'],
    queryFn: ({ signal }) => api.solutions.listForecastRuns({ query: { status: 'finished', limit: 20 } }, { signal }),
  }),
  recommendations: queryOptions({
    queryKey: [workspaceId, 'recommendations', 'home'],
    queryFn: ({ signal }) => api.solutions.listRecommendations({ query: { status: 'open', limit: shown } }, { signal }),
  }),
  plans: queryOptions({
    queryKey: [workspaceId, 'plans', 'home'],
    queryFn: ({ signal }) => api.solutions.listPlans({ query: { limit: 1 } }, { signal }),
  }),
  usage: queryOptions({
    queryKey: [workspaceId, 'usage', 'home'],
    queryFn: ({ signal }) => api.system.usage({}, { signal }),
  }),
})

type StateQueries = ReturnType<typeof stateQueries>

/** The scope that each query needs. Without it, it is not made. */
const stateScopes: Record<keyof StateQueries, Scope> = {
  sites: 'solutions:read',
  sources: 'data:read',
  webhooks: 'webhooks:read',
  destinations: 'webhooks:read',
  runs: 'solutions:read',
  recommendations: 'solutions:read',
  plans: 'solutions:read',
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
  const isAllowed = (name: keyof StateQueries) => scopes.includes(stateScopes[name])
  await Promise.all([
    isAllowed('sites') && queryClient.prefetchQuery(queries.sites),
    isAllowed('sources') && queryClient.prefetchQuery(queries.sources),
    isAllowed('webhooks') && queryClient.prefetchQuery(queries.webhooks),
    isAllowed('destinations') && queryClient.prefetchQuery(queries.destinations),
    isAllowed('runs') && queryClient.prefetchQuery(queries.runs),
    isAllowed('recommendations') && queryClient.prefetchQuery(queries.recommendations),
    isAllowed('plans') && queryClient.prefetchQuery(queries.plans),
    isAllowed('usage') && queryClient.prefetchQuery(queries.usage),
  ])
}

/**
 * The newest resources of the workspace, for the home page. A query whose scope is missing is not made, and none is
 * while the scopes are not known.
 */
export function useWorkspaceState() {
  const queries = stateQueries(useWorkspaceId(), useApi())
  const can = useCan()
  const isKnown = useIsCallerKnown()
  const enabled = (name: keyof StateQueries) => isKnown && can(stateScopes[name])
  return {
    sites: useQuery({ ...queries.sites, enabled: enabled('sites') }),
    sources: useQuery({ ...queries.sources, enabled: enabled('sources') }),
    webhooks: useQuery({ ...queries.webhooks, enabled: enabled('webhooks') }),
    destinations: useQuery({ ...queries.destinations, enabled: enabled('destinations') }),
    runs: useQuery({ ...queries.runs, enabled: enabled('runs') }),
    recommendations: useQuery({ ...queries.recommendations, enabled: enabled('recommendations') }),
    plans: useQuery({ ...queries.plans, enabled: enabled('plans') }),
    usage: useQuery({ ...queries.usage, enabled: enabled('usage') }),
  }
}

export type WorkspaceState = ReturnType<typeof useWorkspaceState>

/** The property of a card on the home page: the query of what it shows. */
export interface CardQuery<Name extends keyof WorkspaceState> {
  query: WorkspaceState[Name]
}

/** Returns the newest files that buildings are counted from. */
export function useNewestDatasets(isEnabled = true) {
  const can = useCan()
  return useApiQuery(
    ['datasets', 'home'],
    (api, options) => api.solutions.listDatasets({ query: { limit: 20 } }, options),
    { enabled: isEnabled && can('solutions:read') },
  )
}
