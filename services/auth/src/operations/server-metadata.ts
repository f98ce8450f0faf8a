import { type auth, type Operation, scopes } from '@wp/contracts'
import type { Context } from '../context.ts'

const clientAuthentication = ['client_secret_basic', 'client_secret_post', 'none']

/** What an OAuth library can learn by itself (RFC 8414). There is no authorization endpoint, so no response types. */
export const serverMetadata: Operation<typeof auth.serverMetadata, Context> = async ({ publicBaseUrl }) => ({
  issuer: publicBaseUrl,
  token_endpoint: `${publicBaseUrl}/v1/auth/token`,
  revocation_endpoint: `${publicBaseUrl}/v1/auth/revoke`,
  jwks_uri: `${publicBaseUrl}/.well-known/jwks.json`,
  grant_types_supported: ['client_credentials', 'refresh_token'],
  response_types_supported: [],
  token_endpoint_auth_methods_supported: clientAuthentication,
  revocation_endpoint_auth_methods_supported: clientAuthentication,
  // of the codes that sign-in hands to an application
  code_challenge_methods_supported: ['S256'],
  scopes_supported: [...scopes],
  service_documentation: `${publicBaseUrl}/docs`,
})
