import type { EndpointDefinition } from '../core/endpoint.ts'
import { publicEndpoints } from '../surfaces.ts'

/**
 * Where a resource can be read: the path of the endpoint that takes identifiers of its kind, and nothing else.
 * @returns undefined where there is none, as for kinds that are read as part of others
 */
export function resourcePath(id: string): string | undefined {
  for (const { definition } of publicEndpoints) {
    const name = nameOf(definition)
    if (name !== undefined && definition.params?.safeParse({ [name]: id }).success === true)
      return definition.path.replace(`{${name}}`, id)
  }
  return undefined
}

/** The only field of the path, at its end, where that takes identifiers. */
function nameOf({ method, path, ok }: EndpointDefinition): string | undefined {
  const [, name] = /^[^{]*\{(id|\w+_id)\}$/.exec(path) ?? []
  return method === 'GET' && ok !== undefined ? name : undefined
}
