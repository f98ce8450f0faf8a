import { type Integration, invalidField, Problem, problem, type ServiceName } from '@wp/contracts'
import type { z } from 'zod'

type Found = z.output<typeof Integration>

/** A field of a request that names an integration. */
export interface IntegrationReference {
  integrationId: string
  /** The provider that the integration must have. */
  provider: string
  pointer: string
  /** Asserts what else the integration must be. @throws Problem `validation_failed` */
  assertFits?(integration: Found): void
}

/** Asserts that an integration can be used as a reference demands. @throws Problem `validation_failed` */
export function assertSuitable(integration: Found, { provider, pointer, assertFits }: IntegrationReference): void {
  const { integration_id: id } = integration
  if (integration.provider !== provider)
    throw invalidField(
      pointer,
      `must name integrations of the provider ${provider}; ${id} is of the provider ${integration.provider}`,
    )
  if (integration.status === 'disconnected') throw invalidField(pointer, `the integration ${id} is disconnected`)
  assertFits?.(integration)
}

/** Converts an error of the integrations service to one about a reference. See `toReferenceProblem`. */
export const toIntegrationProblem = (
  error: unknown,
  { integrationId, pointer }: Pick<IntegrationReference, 'integrationId' | 'pointer'>,
): unknown =>
  toReferenceProblem(error, {
    pointer,
    message: `${integrationId} is not an integration of this workspace`,
    service: 'integrations',
  })

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
