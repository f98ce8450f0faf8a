import { problem } from '@wp/contracts'

/** Returns the default audiences of access tokens: the platform, and its MCP endpoint as a separate resource. */
export const platformAudiences = (publicBaseUrl: string): string[] => [publicBaseUrl, `${publicBaseUrl}/api/v1/mcp/mcp`]

/**
 * Returns the audience for the requested resource (RFC 8707); all audiences if none is requested.
 * @throws Problem `invalid_target` for a resource outside the platform
 */
export function audienceForResource(publicBaseUrl: string, resource: string | undefined): string[] {
  const audiences = platformAudiences(publicBaseUrl)
  if (resource === undefined) return audiences
  const audience = audiences.find((candidate) => candidate === resource || `${candidate}/` === resource)
  if (audience === undefined)
    throw problem('invalid_target', { detail: `resource must be one of ${audiences.join(' ')}` })
  return [audience]
}
