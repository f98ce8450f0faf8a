import { type auth, type Operation, scopes } from '@wp/contracts'
import type { Context } from '../context.ts'

const clientAuthentication = ['client_secret_basic', 'client_secret_post', 'none']

/** Returns the OAuth server metadata (RFC 8414). */
export const serverMetadata: Operation<typeof auth.serverMetadata, Context> = async ({ publicBaseUrl }) => ({
  issuer: publicBaseUrl,
  authorization_endpoint: `${publicBaseUrl}/v1/auth/authorize`,
  registration_endpoint: `${publicBaseUrl}/v1/auth/register`,
  token_endpoint: `${publicBaseUrl}/v1/auth/token`,
  revocation_endpoint: `${publicBaseUrl}/v1/auth/revoke`,
  jwks_uri: `${publicBaseUrl}/.well-known/jwks.json`,
  grant_types_supported: ['authorization_code', 'client_credentials', 'refresh_token'],
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  authorization_response_iss_parameter_supported: true,
  client_id_metadata_document_supported: true,
  token_endpoint_auth_methods_supported: clientAuthentication,
  revocation_endpoint_auth_methods_supported: clientAuthentication,
  code_challenge_methods_supported: ['S256'],
  scopes_supported: [...scopes],
  service_documentation: `${publicBaseUrl}/docs`,
})
