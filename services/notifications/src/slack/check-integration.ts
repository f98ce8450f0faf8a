import {
  integrations,
  invalidField,
  type NotificationSettings,
  type RequestCaller,
  type WorkspaceCaller,
} from '@wp/contracts'
import { requireScope } from '@wp/service'
import { toIntegrationProblem } from '@wp/service/integration-uses'
import type { Context } from '../context.ts'

/**
 * Asserts that settings name a Slack integration of the workspace that the caller may read.
 * @throws Problem 400 with a pointer; `missing_scope`; `service_unavailable`
 */
export async function checkSlackIntegration(
  { internal }: Pick<Context, 'internal'>,
  caller: RequestCaller<WorkspaceCaller>,
  { integration_id }: NonNullable<NotificationSettings['slack']>,
): Promise<void> {
  requireScope(caller, 'integrations:read', 'Naming an integration')
  const pointer = '/slack/integration_id'
  // The metadata of this request belongs to the change of the settings.
  const { request: _request, ...reader } = caller
  const integration = await internal
    .call(integrations.getIntegration, reader, { params: { integration_id } })
    .catch((error: unknown) => {
      throw toIntegrationProblem(error, { integrationId: integration_id, pointer })
    })
  if (integration.provider !== 'slack')
    throw invalidField(pointer, `must be an integration of the provider slack, not ${integration.provider}`)
}
