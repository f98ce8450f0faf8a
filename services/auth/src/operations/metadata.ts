import { clientScopes, mcpResource, mcpScopes, type Scope, scopes } from '@wp/contracts'
import type { Operation } from '../context.ts'

const clientAuthentication = ['client_secret_basic', 'client_secret_post', 'none']

/** Returns the OAuth server metadata (RFC 8414). */
export const serverMetadata: Operation<'serverMetadata'> = async ({ publicBaseUrl }) => ({
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

interface Resource {
  resource: string
  name: string
  scopes: readonly Scope[]
}

const metadataOf = (publicBaseUrl: string, { resource, name, scopes }: Resource) => ({
  resource,
  resource_name: name,
  authorization_servers: [publicBaseUrl],
  scopes_supported: [...scopes],
  bearer_methods_supported: ['header'],
  resource_documentation: `${publicBaseUrl}/docs`,
})

/** Returns the metadata of the API as a protected resource (RFC 9728). */
export const apiResourceMetadata: Operation<'apiResourceMetadata'> = async ({ publicBaseUrl }) =>
  metadataOf(publicBaseUrl, { resource: publicBaseUrl, name: 'Workspace platform', scopes: clientScopes })

/**
 * Returns the metadata of the MCP endpoint. A client asks for the scopes it lists, so it lists those that tools need.
 */
export const mcpResourceMetadata: Operation<'mcpResourceMetadata'> = async ({ publicBaseUrl }) =>
  metadataOf(publicBaseUrl, { resource: mcpResource(publicBaseUrl), name: 'Workspace platform MCP', scopes: mcpScopes })

/** Returns the JWKS: the current key, the next key, and earlier keys whose tokens are still valid. */
export const keySet: Operation<'keySet'> = async ({ signingKeys }) => ({
  keys: signingKeys.published().map((jwk) => ({ ...jwk })),
})
