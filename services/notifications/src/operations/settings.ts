import {
  integrations,
  invalidField,
  type NotificationSettings,
  type RequestCaller,
  type WorkspaceCaller,
} from '@wp/contracts'
import { requireScope } from '@wp/service'
import { toIntegrationProblem } from '@wp/service/integration-uses'
import type { Context, Operation } from '../context.ts'
import { requireOwnOrWrite } from '../feed.ts'
import type { StoredSettings } from '../settings/settings.ts'
import { mergeSettings, readSettings, settingsOwner } from '../settings/stored-settings.ts'
import { findSettings, lockSettings, storeSettings } from '../store/settings.ts'

export const getSettings: Operation<'getSettings'> = async ({ database }, caller, { query }) => {
  const owner = settingsOwner(caller, query.level)
  return database.read(caller, (_db, sql) => readSettings(sql, caller.workspaceId, owner))
}

export const updateSettings: Operation<'updateSettings'> = async (context, caller, { query, body }) => {
  const owner = settingsOwner(caller, query.level)
  const { recipientId } = owner
  requireOwnOrWrite(caller, recipientId, 'Changing the defaults of the workspace')
  if (body.slack) await checkSlackIntegration(context, caller, body.slack)
  return context.database.transact(caller, async (tx) => {
    await lockSettings(tx, recipientId)
    const [row] = await findSettings<StoredSettings>(tx.query, caller.workspaceId, [recipientId])
    await storeSettings(tx, recipientId, mergeSettings(row?.values, body))
    tx.audit({
      targets: [{ type: 'notification_settings', id: recipientId }],
      changes: { level: owner.level, ...body },
    })
    return readSettings(tx.query, caller.workspaceId, owner)
  })
}

/**
 * Asserts that settings name a Slack integration of the workspace that the caller may read.
 * @throws Problem 400 with a pointer; `missing_scope`; `service_unavailable`
 */
async function checkSlackIntegration(
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
