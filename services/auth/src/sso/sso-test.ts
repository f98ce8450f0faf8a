import type { Context } from '../context.ts'

/** Time in which a test can be opened. */
export const ssoTestSeconds = 600

const associatedData = 'sso-test'

/** Returns a sealed text that starts the test of a workspace's connection. */
export const sealSsoTest = ({ sealer, now }: Pick<Context, 'sealer' | 'now'>, workspaceId: string): string =>
  sealer.seal(`${workspaceId} ${now() + ssoTestSeconds * 1000}`, associatedData)

/** Returns the workspace of a sealed test; undefined if it is forged or too old. */
export function openSsoTest({ sealer, now }: Pick<Context, 'sealer' | 'now'>, sealed: string): string | undefined {
  try {
    const [workspaceId, endsAt] = sealer.open(sealed, associatedData).split(' ')
    return Number(endsAt) > now() ? workspaceId : undefined
  } catch {
    return undefined // forged, or sealed with a key that no longer exists
  }
}
