import { type Integration, invalidField } from '@wp/contracts'
import type { z } from 'zod'
import { toReferenceProblem } from '../calls/reference-problem.ts'

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
