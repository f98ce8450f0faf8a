import { invalidField, Problem, problem, type ServiceName } from '@wp/contracts'

/**
 * Converts an error of a call to another service about a resource that a request names.
 * @param message says that the workspace has no such resource
 * @returns 400 `unknown_reference` at the pointer, if the resource does not exist; `service_unavailable` for an error
 *   of the service; any other error as it is
 */
export function toReferenceProblem(
  error: unknown,
  { pointer, message, service }: { pointer: string; message: string; service: ServiceName },
): unknown {
  if (!(error instanceof Problem)) return error
  if (error.code === 'not_found') return invalidField(pointer, message, 'unknown_reference')
  if (error.status < 500) return error
  const detail = `The ${service} service is unavailable; retry shortly`
  return problem('service_unavailable', { detail, cause: error })
}
