import { isSample } from '../../sample/sample-names.ts'
import { useApiQuery, useCan } from '../../session/workspace-context.tsx'
import type { WorkspaceState } from '../workspace-state.ts'
import type { Purpose, SetupFacts } from './setup.ts'

/** Reads what the steps of a purpose need to know. What the sample has made does not count. */
export function useSetupFacts({ sources, runs, webhooks }: WorkspaceState, purpose: Purpose | undefined): SetupFacts {
  const can = useCan()
  const isApi = purpose === 'api'
  const datasets = useApiQuery(
    ['datasets', 'home'],
    (api, options) => api.solutions.listDatasets({ query: { limit: 20 } }, options),
    { enabled: purpose === 'buildings' && can('solutions:read') },
  )
  const keys = useApiQuery(
    ['developer', 'keys', 'home'],
    (api, options) => api.auth.listApiKeys({ query: { limit: 20 } }, options),
    { enabled: isApi && can('auth:keys') },
  )
  const principals = useApiQuery(
    ['developer', 'principals', 'home'],
    (api, options) => api.auth.listServicePrincipals({ query: { limit: 20 } }, options),
    { enabled: isApi && can('auth:admin') },
  )
  const credentials = keys.data && [...keys.data.items, ...(principals.data?.items ?? [])]
  return {
    hasFile: sources.data?.items.some((source) => source.record_count > 0 && !isSample(source)),
    hasCounts: datasets.data?.items.some((dataset) => dataset.rows.used > 0 && !isSample(dataset)),
    hasForecast: runs.data?.items.some((run) => !isSample(run)),
    hasKey: credentials && credentials.length > 0,
    hasCall: credentials?.some(({ last_used_at }) => last_used_at !== null),
    hasWebhook: webhooks.data && webhooks.data.items.length > 0,
  }
}
