import { eventually } from '@wp/testkit'
import { readCredentials } from '../data-dir/credentials.ts'
import { resolveDataDir } from '../data-dir/data-dir.ts'
import { findLockHolder } from '../data-dir/lock.ts'
import { DemoError } from '../demo-error.ts'
import type { StartContext } from '../fleet.ts'
import type { DemoOptions } from './options.ts'

/** A running platform, and the credentials of a service principal. */
export interface Platform {
  baseUrl: string
  clientId: string
  clientSecret: string
  workspaceId: string | undefined
  /** Stops the platform if the demo started it. */
  stop(): Promise<void>
}

/** The time in which a fleet that is starting must become ready. */
const startTimeoutMs = 60_000

/** Returns the platform of `--base-url`, else the running local fleet, else a local fleet that the demo starts. */
export async function findPlatform({ remote, local }: DemoOptions, context: StartContext): Promise<Platform> {
  if (remote !== undefined) {
    await requireHealthy(remote.baseUrl)
    return { ...remote, workspaceId: undefined, stop: async () => {} }
  }
  const folder = resolveDataDir(local.dataDir)
  const holder = findLockHolder(folder.lockFile)
  if (holder !== undefined) {
    context.print(`using the fleet of process ${holder.pid}, ${holder.baseUrl}`)
    await eventually(() => findLockHolder(folder.lockFile)?.ready, {
      timeoutMs: startTimeoutMs,
      description: 'the running fleet being ready',
    })
    await requireHealthy(holder.baseUrl)
    const credentials = readCredentials(folder.credentialsFile)
    if (credentials === undefined) throw new DemoError(`the running fleet has no ${folder.credentialsFile}`)
    return { ...toPlatformAccess(credentials), stop: async () => {} }
  }
  context.print('no local fleet is running: starting one')
  // Imported on demand: a demo against another platform does not need the services.
  const { startLocalFleet } = await import('../fleet.ts')
  const fleet = await startLocalFleet(local, context)
  return { ...toPlatformAccess(fleet.credentials), stop: () => fleet.stop() }
}

const toPlatformAccess = (credentials: NonNullable<ReturnType<typeof readCredentials>>) => ({
  baseUrl: credentials.base_url,
  clientId: credentials.client_id,
  clientSecret: credentials.client_secret,
  workspaceId: credentials.workspace_id,
})

/** @throws DemoError if the platform does not respond, or responds with an error */
async function requireHealthy(baseUrl: string): Promise<void> {
  const problem = await fetch(`${baseUrl}/v1/system/health`, { signal: AbortSignal.timeout(10_000) }).then(
    (response) => (response.ok ? undefined : `it responded with ${response.status}`),
    (error: unknown) => (error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error)),
  )
  if (problem !== undefined) throw new DemoError(`${baseUrl} is unavailable: ${problem}`)
}
