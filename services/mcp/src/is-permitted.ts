import type { Caller, EndpointDefinition } from '@wp/contracts'
import { Problem } from '@wp/contracts'
import { authorizeSubject } from '@wp/service'

/** Returns true if a caller may use an endpoint: by kind of credential, kind of principal and scope. */
export function isPermitted(definition: EndpointDefinition, caller: Caller): boolean {
  try {
    authorizeSubject(definition, caller)
    return true
  } catch (error) {
    if (error instanceof Problem) return false
    throw error
  }
}
