import { integrations, type RequestCaller, type WorkspaceCaller } from '@wp/contracts'
import { requireScope } from '@wp/service'
import { assertSuitable, type IntegrationReference, toIntegrationProblem } from '@wp/service/integration-uses'
import type { Context } from '../context.ts'

/**
 * Asserts that integrations exist and are suitable. Registers no use: a blueprint does not keep an integration from
 * being deleted, because its versions cannot be changed. The agents that are made from it do.
 * @throws Problem `missing_scope` without `integrations:read`; 400 with a pointer; `service_unavailable`
 */
export async function checkIntegrations(
  { internal }: Pick<Context, 'internal'>,
  caller: RequestCaller<WorkspaceCaller>,
  references: readonly IntegrationReference[],
): Promise<void> {
  if (references.length === 0) return
  requireScope(caller, 'integrations:read', 'Using integrations in a blueprint')
  for (const reference of references) {
    const params = { integration_id: reference.integrationId }
    const integration = await internal.call(integrations.getIntegration, caller, { params }).catch((error: unknown) => {
      throw toIntegrationProblem(error, reference)
    })
    assertSuitable(integration, reference)
  }
}
