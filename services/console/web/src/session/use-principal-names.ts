import { useQuery } from '@tanstack/react-query'
import { useApi, useCan, useWorkspaceId } from './workspace-context.tsx'

/** Returns a function from the id of a principal to a name: of a member, if the list of members may be read. */
export function usePrincipalNames(): (id: string) => string {
  const api = useApi()
  const workspaceId = useWorkspaceId()
  const { data } = useQuery({
    queryKey: [workspaceId, 'members', 'names'],
    queryFn: ({ signal }) => api.auth.listUsers({ query: { limit: 100 } }, { signal }),
    enabled: useCan()('auth:read'),
    staleTime: 60_000,
  })
  const names = new Map(data?.items.map(({ user_id, name, email }) => [user_id, name ?? email]))
  return (id) => names.get(id) ?? id
}
