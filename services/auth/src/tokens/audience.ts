import { problem } from '@wp/contracts'

/** Returns the default audiences of access tokens: the platform, and its MCP endpoint as a separate resource. */
export const platformAudiences = (base: string): string[] => [base, `${base}/api/v1/mcp/mcp`]

/**
 * Returns the audience for the requested resource (RFC 8707); all audiences if none is requested.
 * @throws Problem `invalid_target` for a resource outside the platform
 */
export function audienceForResource(base: string, resource: string | undefined): string[] {
  const ours = platformAudiences(base)
  if (resource === undefined) return ours
  const named = ours.find((audience) => audience === resource || `${audience}/` === resource)
  if (named === undefined) throw problem('invalid_target', { detail: `resource must be one of ${ours.join(' ')}` })
  return [named]
}
