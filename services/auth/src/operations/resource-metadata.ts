import { type auth, clientScopes, mcpResource, mcpScopes, type Operation, type Scope } from '@wp/contracts'
import type { Context } from '../context.ts'

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
export const apiResourceMetadata: Operation<typeof auth.apiResourceMetadata, Context> = async ({ publicBaseUrl }) =>
  metadataOf(publicBaseUrl, { resource: publicBaseUrl, name: 'Workspace platform', scopes: clientScopes })

/**
 * Returns the metadata of the MCP endpoint. A client asks for the scopes it lists, so it lists those that tools need.
 */
export const mcpResourceMetadata: Operation<typeof auth.mcpResourceMetadata, Context> = async ({ publicBaseUrl }) =>
  metadataOf(publicBaseUrl, { resource: mcpResource(publicBaseUrl), name: 'Workspace platform MCP', scopes: mcpScopes })
