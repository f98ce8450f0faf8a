import { queryOptions } from '@tanstack/react-query'
import { getSession, postSession } from '../api/console-request.ts'
import { announceSignOut } from './announce-sign-out.ts'

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

/** A code that was mailed. */
export interface MailedCode {
  login_id: string
  expires_at: string
}

export const startLogin = (email: string) => postSession<MailedCode>('/login', { email })
export const verifyLogin = (body: { login_id: string; code: string } | { login_code: string }) =>
  postSession<Session>('/verify', body)
export const startProviderLogin = (provider: string) => postSession<{ location: string }>('/providers', { provider })

/** Ends the session, and tells the other tabs. */
export async function logout(): Promise<void> {
  await postSession('/logout')
  announceSignOut()
}

export const startReauthentication = () => postSession<MailedCode>('/reauthentication')
export const verifyReauthentication = (body: { login_id: string; code: string }) =>
  postSession<Session>('/reauthentication/verify', body)

const storageKey = 'console.workspace'

/** Returns the workspace to open: the one this browser used last, or the first. */
export function preferredWorkspace({ workspaces }: SessionUser): string | undefined {
  const last = localStorage.getItem(storageKey)
  return (workspaces.find(({ workspace_id }) => workspace_id === last) ?? workspaces[0])?.workspace_id
}

/** Remembers the workspace that this browser uses. */
export const rememberWorkspace = (workspaceId: string): void => localStorage.setItem(storageKey, workspaceId)
