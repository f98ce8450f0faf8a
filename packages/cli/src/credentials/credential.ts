/** A stored credential. */
export type StoredCredential = StoredKey | StoredSession

export interface StoredKey {
  type: 'api_key'
  api_key: string
}

/** The tokens of a sign-in. */
export interface StoredSession {
  type: 'session'
  access_token: string
  /** Milliseconds since 1970. */
  expires_at_ms: number
  refresh_token: string
  /** The client that the session was granted to, for a sign-in in the browser. */
  client_id?: string
}

/** Returns the value if it is a stored credential. */
export function readStoredCredential(value: unknown): StoredCredential | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const fields: Record<string, unknown> = { ...value }
  const { type, api_key, access_token, expires_at_ms, refresh_token, client_id } = fields
  if (type === 'api_key' && typeof api_key === 'string') return { type, api_key }
  if (type !== 'session' || typeof access_token !== 'string' || typeof refresh_token !== 'string') return undefined
  const expiry = typeof expires_at_ms === 'number' ? expires_at_ms : 0
  const client = typeof client_id === 'string' ? { client_id } : {}
  return { type, access_token, refresh_token, expires_at_ms: expiry, ...client }
}
