import { consolePageOf } from '@wp/contracts'
import type { Context } from '../context.ts'

/** Returns the address of the page of the console about a notification; undefined if there is none. */
export function consoleUrl(
  { config }: Pick<Context, 'config'>,
  workspaceId: string,
  notification: { kind: string; link: string | null },
): string | undefined {
  const page = consolePageOf(notification)
  return page === undefined ? undefined : `${config.PUBLIC_BASE_URL.replace(/\/+$/, '')}/console/${workspaceId}/${page}`
}
