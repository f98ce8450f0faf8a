import { useQuery } from '@tanstack/react-query'
import { useApi, useCan, useWorkspaceId } from '../session/workspace-context.tsx'

const shown = 5

/** The newest resources of the workspace that the home page shows. A query whose scope is missing is not made. */
export function useWorkspaceState() {
  const workspaceId = useWorkspaceId()
  const api = useApi()
  const can = useCan()
  const sources = useQuery({
    queryKey: [workspaceId, 'data', 'sources', 'home'],
    queryFn: ({ signal }) => api.data.listSources({ query: { limit: shown } }, { signal }),
    enabled: can('data:read'),
  })
  const webhooks = useQuery({
    queryKey: [workspaceId, 'webhooks', 'home'],
    queryFn: ({ signal }) => api.webhooks.listSubscriptions({ query: { limit: 100 } }, { signal }),
    enabled: can('webhooks:read'),
  })
  const runs = useQuery({
    queryKey: [workspaceId, 'forecasts', 'home'],
    queryFn: ({ signal }) => api.solutions.listForecastRuns({ query: { limit: shown } }, { signal }),
    enabled: can('solutions:read'),
  })
  const recommendations = useQuery({
    queryKey: [workspaceId, 'recommendations', 'home'],
    queryFn: ({ signal }) => api.solutions.listRecommendations({ query: { status: 'open', limit: shown } }, { signal }),
    enabled: can('solutions:read'),
  })
  const keys = useQuery({
    queryKey: [workspaceId, 'developer', 'keys', 'home'],
    queryFn: ({ signal }) => api.auth.listApiKeys({ query: { limit: 1 } }, { signal }),
    enabled: can('auth:keys'),
  })
  const principals = useQuery({
    queryKey: [workspaceId, 'developer', 'principals', 'home'],
    queryFn: ({ signal }) => api.auth.listServicePrincipals({ query: { limit: 1 } }, { signal }),
    enabled: can('auth:admin'),
  })
  const usage = useQuery({
    queryKey: [workspaceId, 'usage', 'home'],
    queryFn: ({ signal }) => api.system.usage({}, { signal }),
    enabled: can('workspace:read'),
  })
  return { sources, webhooks, runs, recommendations, keys, principals, usage }
}

/** The property of a card on the home page: the query of what it shows. */
export interface CardQuery<Name extends keyof ReturnType<typeof useWorkspaceState>> {
  query: ReturnType<typeof useWorkspaceState>[Name]
}
