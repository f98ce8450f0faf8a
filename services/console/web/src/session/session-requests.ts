// The sign-in page uses these without the query library.
import { postSession } from '../api/console-request.ts'
import { forgetScopes } from './remembered-scopes.ts'
import type { Session } from './session.ts'

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
  forgetScopes()
  await postSession('/logout')
  announceSignOut()
}

export const startReauthentication = () => postSession<MailedCode>('/reauthentication')
export const verifyReauthentication = (body: { login_id: string; code: string }) =>
  postSession<Session>('/reauthentication/verify', body)

const channelName = 'console.sign-out'

/** Tells the other tabs of this browser that the person has signed out. */
function announceSignOut(): void {
  const channel = new BroadcastChannel(channelName)
  channel.postMessage(null)
  channel.close()
}

/** Calls a function when another tab signs out. @returns a function that stops it */
export function onSignOutElsewhere(listener: () => void): () => void {
  const channel = new BroadcastChannel(channelName)
  channel.onmessage = listener
  return () => channel.close()
}
