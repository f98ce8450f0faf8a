import type { NotificationSettingsPatch } from '@wp/contracts'
import { mergePatch } from '@wp/service'
import type { StoredSettings } from './settings.ts'

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
