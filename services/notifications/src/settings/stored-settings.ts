import {
  invalidField,
  type NotificationSettings,
  type NotificationSettingsPatch,
  type RequestCaller,
  type WorkspaceCaller,
} from '@wp/contracts'
import type { Query } from '@wp/database'
import { mergePatch } from '@wp/service'
import { findSettings } from '../store/settings.ts'
import { settingsView } from '../views.ts'
import { applySettings, defaultSettings, type StoredSettings, userSettings } from './settings.ts'

/** The owner of the settings that a request is about. */
export interface SettingsOwner {
  level: NotificationSettings['level']
  /** The user, or the workspace. */
  recipientId: string
}

/**
 * Returns the owner of the settings that a request is about.
 * @throws Problem 400 if a caller who is no user names the level `user`
 */
export function settingsOwner(
  { principal, workspaceId }: RequestCaller<WorkspaceCaller>,
  level: NotificationSettings['level'] | undefined,
): SettingsOwner {
  const isUser = principal.type === 'user'
  if (level === 'user' && !isUser)
    throw invalidField('?level', 'must be workspace: only users have notification settings of their own')
  return isUser && level !== 'workspace'
    ? { level: 'user', recipientId: principal.id }
    : { level: 'workspace', recipientId: workspaceId }
}

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

/**
 * Applies a change to stored settings. Channels are merged, and null removes one, which then follows the default. A
 * digest, quiet hours or a Slack channel are replaced as a whole; null removes a digest, and for the other two means
 * none.
 */
export function mergeSettings(stored: StoredSettings | undefined, patch: NotificationSettingsPatch): StoredSettings {
  const { categories: { critical: _, ...channels } = {}, digest, quiet_hours: quietHours, slack } = patch
  const { digest: storedDigest, ...rest } = stored ?? {}
  const nextDigest = digest === undefined ? storedDigest : digest
  return {
    ...rest,
    categories: mergePatch<unknown>({ ...rest.categories }, channels),
    ...(nextDigest ? { digest: nextDigest } : {}),
    ...(quietHours === undefined ? {} : { quiet_hours: quietHours }),
    ...(slack === undefined ? {} : { slack }),
  }
}
