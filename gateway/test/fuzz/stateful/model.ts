import type { EndpointDefinition } from '@wp/contracts'
import type { ActorName } from './actors.ts'

/** A resource that was created in a sequence of requests. */
export interface KnownResource {
  owner: ActorName
  params: Record<string, string>
  isDeleted: boolean
}

/** Known resources by family. */
export interface Model {
  resources: Map<string, KnownResource[]>
}

/** Returns the family of the resource that an endpoint names: its path up to the last parameter. */
export function familyOf({ path }: EndpointDefinition): string | undefined {
  const end = path.lastIndexOf('}')
  return end < 0 ? undefined : path.slice(0, end + 1)
}

/** Returns true if the path of an endpoint is the resource itself, and no part of it. */
export const isWholeResource = (definition: EndpointDefinition): boolean => familyOf(definition) === definition.path

/** Returns the resources that an endpoint can name. */
export const resourcesOf = (model: Model, definition: EndpointDefinition): KnownResource[] =>
  model.resources.get(familyOf(definition) ?? '') ?? []

/** Adds a resource. */
export function remember(model: Model, definition: EndpointDefinition, resource: KnownResource): void {
  const family = familyOf(definition) ?? ''
  model.resources.set(family, [...(model.resources.get(family) ?? []), resource])
}
