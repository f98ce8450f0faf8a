import type { EndpointDefinition } from '../core/endpoint/endpoint.ts'
import { publicEndpoints } from '../surfaces.ts'

/** Other texts identify a resource only together with its kind. */
const typeId = /^[a-z]+_[0-9a-z]{26}$/

/**
 * Returns the path at which a resource can be read, by the prefix of its id.
 * @returns undefined if no endpoint reads this kind of resource by id alone
 */
export function resourcePath(id: string): string | undefined {
  if (!typeId.test(id)) return undefined
  for (const { definition } of publicEndpoints) {
    const name = idParameterOf(definition)
    if (name !== undefined && definition.params?.safeParse({ [name]: id }).success === true)
      return definition.path.replace(`{${name}}`, id)
  }
  return undefined
}

/** Returns the id parameter of a path that has no other parameter and ends with it. */
function idParameterOf({ method, path, ok }: EndpointDefinition): string | undefined {
  const [, name] = /^[^{]*\{(id|\w+_id)\}$/.exec(path) ?? []
  return method === 'GET' && ok !== undefined ? name : undefined
}
