import { problem, protectedResources } from '@wp/contracts'

/**
 * Returns the audience for the requested resources (RFC 8707); all audiences if none is requested.
 * @throws Problem `invalid_target` for a resource outside the platform
 */
export function audienceForResources(publicBaseUrl: string, resources: readonly string[] | undefined): string[] {
  const audiences = protectedResources(publicBaseUrl)
  if (resources === undefined) return audiences
  const requested = new Set(
    resources.map((resource) => audiences.find((known) => known === resource || `${known}/` === resource)),
  )
  if (requested.has(undefined))
    throw problem('invalid_target', { detail: `resource must be one of ${audiences.join(' ')}` })
  return audiences.filter((audience) => requested.has(audience))
}

/** Returns the resource to which an audience is limited; undefined if it is every resource. */
export const onlyResourceOf = ([first, ...others]: readonly string[]): string | undefined =>
  others.length === 0 ? first : undefined
