import { type auth, type Operation, scopes } from '@wp/contracts'
import type { Context } from '../context.ts'

/** What an OAuth library can learn by itself (RFC 8414). There is no authorization endpoint, so no response types. */
export const serverMetadata: Operation<typeof auth.serverMetadata, Context> = async ({ base }) => ({
  issuer: base,
  token_endpoint: `${base}/v1/auth/token`,
  jwks_uri: `${base}/.well-known/jwks.json`,
  grant_types_supported: ['client_credentials'],
  response_types_supported: [],
  token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
  scopes_supported: [...scopes],
  service_documentation: `${base}/docs`,
})
