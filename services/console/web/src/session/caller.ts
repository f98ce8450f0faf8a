import { queryOptions } from '@tanstack/react-query'
import type { Client } from '@wp/client/browser'

/** The query of who the user is in a workspace, and of the scopes of the session there. */
export const callerQuery = (workspaceId: string, api: Client) =>
  queryOptions({
    queryKey: [workspaceId, 'me'],
    queryFn: ({ signal }) => api.auth.me({}, { signal }),
    staleTime: 60_000,
  })
