import type { FieldError } from '@wp/contracts'

interface Config {
  client_id?: string | undefined
}
interface Secrets {
  client_secret?: string | undefined
  token?: string | undefined
}

/** Requires a complete OAuth client, a token, or both. */
export function checkClientOrToken({ client_id: id }: Config, { client_secret: secret, token }: Secrets): FieldError[] {
  if (secret !== undefined && id === undefined) return [{ pointer: '/config/client_id', detail: 'is required' }]
  if (id !== undefined && secret === undefined) return [{ pointer: '/secrets/client_secret', detail: 'is required' }]
  if (secret === undefined && token === undefined) return [{ pointer: '/secrets/token', detail: 'is required' }]
  return []
}
