import { z } from 'zod'
import { declareEndpoints } from '../core/endpoint/endpoint.ts'
import { scopes } from '../core/endpoint/scope.ts'

/** The metadata of a protected resource (RFC 9728 section 2). */
const ProtectedResourceMetadata = z
  .object({
    resource: z.string().describe('Identifier of the resource, for `resource` of a token request'),
    resource_name: z.string().describe('Name for people'),
    authorization_servers: z.array(z.string()).describe('Issuers whose tokens the resource accepts'),
    scopes_supported: z.array(z.enum(scopes)).describe('Scopes that the resource knows'),
    bearer_methods_supported: z.array(z.string()).describe('How a token is sent: in the `Authorization` header'),
    resource_documentation: z.string().describe('Page that documents the resource'),
  })
  .meta({ id: 'ProtectedResourceMetadata' })

const metadata = {
  method: 'GET',
  credentials: 'none',
  limitClass: 'metadata',
  bare: ProtectedResourceMetadata,
} as const

/** The metadata by which clients find the authorization server of a resource (RFC 9728). */
export const resourceMetadataEndpoints = declareEndpoints('auth', {
  apiResourceMetadata: {
    path: '/.well-known/oauth-protected-resource',
    summary: 'Protected resource metadata of the API (RFC 9728)',
    description:
      'Names the authorization server of the API and the scopes it knows. The challenge of a 401 points here.',
    ...metadata,
  },
  mcpResourceMetadata: {
    path: '/.well-known/oauth-protected-resource/api/v1/mcp/mcp',
    summary: 'Protected resource metadata of the MCP endpoint (RFC 9728)',
    description:
      'Names the authorization server of the MCP endpoint and the scopes it knows. MCP clients read it when they are first refused.',
    ...metadata,
  },
})
