import type { notifications, Operation } from '@wp/contracts'
import type { Context } from '../context.ts'
import { readSettings } from '../settings/read-settings.ts'
import { settingsOwner } from '../settings/settings-owner.ts'

export const getSettings: Operation<typeof notifications.getSettings, Context> = async (
  { database },
  caller,
  { query },
) => {
  const owner = settingsOwner(caller, query.level)
  return database.read(caller, (_db, sql) => readSettings(sql, caller.workspaceId, owner))
}
