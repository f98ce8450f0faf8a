import { type UseQueryOptions, type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Client } from '@wp/client/browser'
import type { Scope } from '@wp/contracts'
import { createContext, type ReactNode, use, useEffect, useMemo } from 'react'
import { createApiClient } from '../api/api-client.ts'
import { callerQuery, sessionQuery } from './session.ts'
import { rememberScopes } from './session-requests.ts'

interface WorkspaceContextValue {
  workspaceId: string
  api: Client
  /** The address of the platform for programs; undefined to ask the session. */
  baseUrl?: string | undefined
}

const WorkspaceContext = createContext<WorkspaceContextValue | undefined>(undefined)

interface WorkspaceProviderProps {
  workspaceId: string
  /** Default: that of the session. */
  api?: Client
  baseUrl?: string
  children: ReactNode
}

/** Provides the workspace of the address and its client. */
export function WorkspaceProvider({ workspaceId, api, baseUrl, children }: WorkspaceProviderProps) {
  const value = useMemo(
    () => ({ workspaceId, api: api ?? createApiClient(workspaceId), baseUrl }),
    [workspaceId, api, baseUrl],
  )
  return <WorkspaceContext value={value}>{children}</WorkspaceContext>
}

function useContextValue(): WorkspaceContextValue {
  const value = use(WorkspaceContext)
  if (value === undefined) throw new Error('used outside of a workspace')
  return value
}

/** Returns the client of the current workspace. */
export const useApi = (): Client => useContextValue().api

/** Returns the id of the current workspace, the first member of every query key of its resources. */
export const useWorkspaceId = (): string => useContextValue().workspaceId

/** Reads resources of the current workspace from the API. @param key the query key after the id of the workspace */
export function useApiQuery<Data>(
  key: readonly unknown[],
  read: (api: Client, options: { signal: AbortSignal }) => Promise<Data>,
  options: Omit<UseQueryOptions<Data>, 'queryKey' | 'queryFn'> = {},
): UseQueryResult<Data> {
  const { workspaceId, api } = useContextValue()
  return useQuery({ ...options, queryKey: [workspaceId, ...key], queryFn: ({ signal }) => read(api, { signal }) })
}

/** Returns a function that makes queries of the workspace stale: all whose keys begin with these members. */
export function useRefresh(): (...key: string[]) => Promise<void> {
  const client = useQueryClient()
  const workspaceId = useWorkspaceId()
  return (...key) => client.invalidateQueries({ queryKey: [workspaceId, ...key] })
}

/** Returns what `useApi`, `useWorkspaceId` and `useRefresh` do, for components that need several of them. */
export function useWorkspace() {
  const { api, workspaceId } = useContextValue()
  return { api, workspaceId, refresh: useRefresh() }
}

/** Returns a function that tells whether the user has a scope in the workspace; true while that is not known. */
export function useCan(): (scope: Scope) => boolean {
  const { workspaceId, api } = useContextValue()
  const { data } = useQuery(callerQuery(workspaceId, api))
  return (scope) => data?.credential.scopes.includes(scope) ?? true
}

/** Returns true once the scopes of the user are known: a request without its scope would be recorded as a denial. */
export function useIsCallerKnown(): boolean {
  const { workspaceId, api } = useContextValue()
  return useQuery(callerQuery(workspaceId, api)).isSuccess
}

/** Remembers the scopes of the user for the next page that is loaded. */
export function useRememberScopes(): void {
  const { workspaceId, api } = useContextValue()
  const scopes = useQuery(callerQuery(workspaceId, api)).data?.credential.scopes
  useEffect(() => {
    if (scopes !== undefined) rememberScopes(workspaceId, scopes)
  }, [workspaceId, scopes])
}

/** Returns the address of the platform for programs, as snippets show it. */
export function useBaseUrl(): string {
  const { baseUrl } = useContextValue()
  const { data } = useQuery({ ...sessionQuery, enabled: baseUrl === undefined })
  return baseUrl ?? data?.public_base_url ?? location.origin
}
