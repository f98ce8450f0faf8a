import type { NotificationSettings } from '@wp/contracts'
import type { Query } from '@wp/database'
import { findSettings } from '../store/settings.ts'
import { settingsView } from '../views.ts'
import { applySettings, defaultSettings, type StoredSettings, userSettings } from './settings.ts'
import type { SettingsOwner } from './settings-owner.ts'

/** Reads the settings of a user or a workspace, with the defaults for what is not set. */
export async function readSettings(
  query: Query,
  workspaceId: string,
  { level, recipientId }: SettingsOwner,
): Promise<NotificationSettings> {
  const rows = await findSettings<StoredSettings>(query, workspaceId, [workspaceId, recipientId])
  const own = rows.find((row) => row.recipientId === recipientId)
  const ofWorkspace = rows.find((row) => row.recipientId === workspaceId)?.values
  const settings =
    level === 'workspace' ? applySettings(defaultSettings, ofWorkspace) : userSettings(ofWorkspace, own?.values)
  return settingsView(level, settings, own?.updatedAt)
}
