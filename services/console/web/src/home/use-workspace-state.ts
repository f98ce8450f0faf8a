import { useQuery } from '@tanstack/react-query'
import { useApi, useCan, useWorkspaceId } from '../session/workspace-context.tsx'
import { stateQueries, stateScopes } from './workspace-state.ts'

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
