import { problem, protectedResources } from '@wp/contracts'

/**
 * Returns the audience for the requested resource (RFC 8707); all audiences if none is requested.
 * @throws Problem `invalid_target` for a resource outside the platform
 */
export function audienceForResource(publicBaseUrl: string, resource: string | undefined): string[] {
  const audiences = protectedResources(publicBaseUrl)
  if (resource === undefined) return audiences
  const audience = audiences.find((candidate) => candidate === resource || `${candidate}/` === resource)
  if (audience === undefined)
    throw problem('invalid_target', { detail: `resource must be one of ${audiences.join(' ')}` })
  return [audience]
}
