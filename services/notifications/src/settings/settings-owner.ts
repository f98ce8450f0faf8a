import { invalidField, type NotificationSettings, type RequestCaller, type WorkspaceCaller } from '@wp/contracts'

/** Whose settings a request is about. */
export interface SettingsOwner {
  level: NotificationSettings['level']
  /** The user, or the workspace. */
  recipientId: string
}

/** Returns whose settings a request is about. @throws Problem 400 if a caller who is no user names the level `user` */
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
