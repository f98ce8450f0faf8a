import { eventually } from '@wp/testkit'
import { readCredentials } from '../credentials.ts'
import { resolveDataDir } from '../data-dir.ts'
import type { StartContext } from '../fleet.ts'
import { findLockHolder } from '../lock.ts'
import { DemoError } from './demo-error.ts'
import type { DemoOptions } from './options.ts'

/** A platform that answers, and what opens it. */
export interface Platform {
  baseUrl: string
  clientId: string
  clientSecret: string
  workspaceId: string | undefined
  /** Stops it, where the demo started it. */
  stop(): Promise<void>
}

/** How long a fleet that is starting may take until it answers. */
const startTimeoutMs = 60_000

/** The platform that was named; else the fleet that runs here; else one of the demo's own. */
export async function findPlatform({ remote, local }: DemoOptions, around: StartContext): Promise<Platform> {
  if (remote !== undefined) {
    await requireHealthy(remote.baseUrl)
    return { ...remote, workspaceId: undefined, stop: async () => {} }
  }
  const folder = resolveDataDir(local.dataDir)
  const holder = findLockHolder(folder.lockFile)
  if (holder !== undefined) {
    around.print(`the fleet of process ${holder.pid}, ${holder.baseUrl}`)
    await eventually(() => findLockHolder(folder.lockFile)?.isReady, {
      timeoutMs: startTimeoutMs,
      description: 'the start of that fleet',
    })
    await requireHealthy(holder.baseUrl)
    const credentials = readCredentials(folder.credentialsFile)
    if (credentials === undefined) throw new DemoError(`the fleet that runs has no ${folder.credentialsFile}`)
    return { ...toPlatformAccess(credentials), stop: async () => {} }
  }
  around.print('no fleet runs here: starting one')
  // A demo against a platform elsewhere need not load the services.
  const { startLocalFleet } = await import('../fleet.ts')
  const fleet = await startLocalFleet(local, around)
  return { ...toPlatformAccess(fleet.credentials), stop: () => fleet.stop() }
}

const toPlatformAccess = (credentials: NonNullable<ReturnType<typeof readCredentials>>) => ({
  baseUrl: credentials.base_url,
  clientId: credentials.client_id,
  clientSecret: credentials.client_secret,
  workspaceId: credentials.workspace_id,
})

/** @throws DemoFailure saying what it does instead */
async function requireHealthy(baseUrl: string): Promise<void> {
  const problem = await fetch(`${baseUrl}/v1/system/health`, { signal: AbortSignal.timeout(10_000) }).then(
    (response) => (response.ok ? undefined : `it answered ${response.status}`),
    (error: unknown) => (error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error)),
  )
  if (problem !== undefined) throw new DemoError(`${baseUrl} does not answer: ${problem}`)
}
