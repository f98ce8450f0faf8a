import { problem } from '@wp/contracts'

/** What our access tokens are good for: the platform, and its MCP endpoint as a resource of its own. */
export const platformAudiences = (base: string): string[] => [base, `${base}/api/v1/mcp/mcp`]

/**
 * The audience of a token whose request named a resource (RFC 8707): that resource alone.
 * @throws Problem `invalid_target` when it is none of ours
 */
export function audienceForResource(base: string, resource: string | undefined): string[] {
  const ours = platformAudiences(base)
  if (resource === undefined) return ours
  const named = ours.find((audience) => audience === resource || `${audience}/` === resource)
  if (named === undefined) throw problem('invalid_target', { detail: `resource must be one of ${ours.join(' ')}` })
  return [named]
}
