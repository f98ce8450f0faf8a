import type { Operation } from '../context.ts'
import { requireOwnOrWrite } from '../feed/feed-of-caller.ts'
import type { StoredSettings } from '../settings/settings.ts'
import { mergeSettings, readSettings, settingsOwner } from '../settings/stored-settings.ts'
import { checkSlackIntegration } from '../slack/check-integration.ts'
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
