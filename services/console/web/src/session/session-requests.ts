// The sign-in page uses these without the query library.
import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/browser'
import { postSession } from '../api/console-request.ts'
import type { Session } from './session.ts'

/** A question for a passkey. */
export interface PasskeyRequest {
  options: PublicKeyCredentialRequestOptionsJSON
}

/** A code that was mailed. */
export interface MailedCode {
  login_id: string
  expires_at: string
}

export const startLogin = (email: string) => postSession<MailedCode>('/login', { email })
export const verifyLogin = (body: { login_id: string; code: string } | { login_code: string } | { passkey: object }) =>
  postSession<Session>('/verify', body)
export const startProviderLogin = (provider: string) => postSession<{ location: string }>('/providers', { provider })
export const startCompanyLogin = (email: string) => postSession<{ location: string }>('/company', { email })

export const startPasskeyLogin = () => postSession<PasskeyRequest>('/passkey')
export const startRecovery = (body: { login_id: string; code: string }) =>
  postSession<{ available_at: string }>('/recovery', body)

/** Ends the session, and tells the other tabs. */
export async function logout(): Promise<void> {
  forgetUser()
  await postSession('/logout')
  announce(channels.signOut)
}

export const startReauthentication = () => postSession<MailedCode>('/reauthentication')
export const verifyReauthentication = (body: { login_id: string; code: string } | { passkey: object }) =>
  postSession<Session>('/reauthentication/verify', body)

/** Messages between the tabs of this browser, by the names of their channels. */
const channels = { signIn: 'console.sign-in', signOut: 'console.sign-out' } as const

function announce(name: string): void {
  const channel = new BroadcastChannel(name)
  channel.postMessage(null)
  channel.close()
}

function listen(name: string, listener: () => void): () => void {
  const channel = new BroadcastChannel(name)
  channel.onmessage = listener
  return () => channel.close()
}

/** Tells the other tabs of this browser that the person has signed in. */
export const announceSignIn = (): void => announce(channels.signIn)

/** Calls a function when another tab signs in. @returns a function that stops it */
export const onSignInElsewhere = (listener: () => void): (() => void) => listen(channels.signIn, listener)

/** Calls a function when another tab signs out. @returns a function that stops it */
export const onSignOutElsewhere = (listener: () => void): (() => void) => listen(channels.signOut, listener)

const storageKey = 'console.scopes'

/**
 * Remembers the scopes of the user in a workspace, so that the next page of it can send its first requests at once
 * (`before-paint.ts`), and none that would be refused.
 */
export const rememberScopes = (workspaceId: string, scopes: readonly string[]): void =>
  localStorage.setItem(storageKey, [workspaceId, ...scopes].join(' '))

/** Forgets the scopes and the saved views: the next user of the browser may have others. */
function forgetUser(): void {
  localStorage.removeItem(storageKey)
  for (const key of Object.keys(localStorage)) if (key.startsWith('console.views:')) localStorage.removeItem(key)
}
