import { queryOptions } from '@tanstack/react-query'
import type { Client } from '@wp/client/browser'
import { getSession } from '../api/console-request.ts'

/** A workspace that the signed-in user is a member of. */
export interface SessionWorkspace {
  workspace_id: string
  name: string
  role: string
}

export interface SessionUser {
  user_id: string
  email: string
  name: string | null
  avatar_url: string | null
  locale: string | null
  timezone: string | null
  workspaces: SessionWorkspace[]
}

interface SessionCommon {
  environment: string
  public_base_url: string
  /** Configured providers of social sign-in. */
  providers: readonly string[]
}

/** The session of this browser, as the backend of the console reports it. */
export type Session = SessionCommon &
  ({ authenticated: false } | { authenticated: true; user: SessionUser; authenticated_at: string; expires_at: string })

/** The session, shared by all components. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: () => getSession<Session>(),
  staleTime: 60_000,
  retry: 1,
})

/** Returns true if a user is a member of a workspace. */
export const isMember = ({ workspaces }: SessionUser, workspaceId: string): boolean =>
  workspaces.some(({ workspace_id }) => workspace_id === workspaceId)

const storageKey = 'console.workspace'

/** Returns the workspace to open: the one this browser used last, or the first. */
export function preferredWorkspace({ workspaces }: SessionUser): string | undefined {
  const last = localStorage.getItem(storageKey)
  return (workspaces.find(({ workspace_id }) => workspace_id === last) ?? workspaces[0])?.workspace_id
}

/** Remembers the workspace that this browser uses. */
export const rememberWorkspace = (workspaceId: string): void => localStorage.setItem(storageKey, workspaceId)

/** The query of who the user is in a workspace, and of the scopes of the session there. */
export const callerQuery = (workspaceId: string, api: Client) =>
  queryOptions({
    queryKey: [workspaceId, 'me'],
    queryFn: ({ signal }) => api.auth.me({}, { signal }),
    staleTime: 60_000,
  })
