import { authSignIn } from '@wp/contracts'

/** The providers a user may sign in with, if they are configured. */
export const providerEndpoints = { google: authSignIn.loginWithGoogle, github: authSignIn.loginWithGithub } as const
export type ProviderName = keyof typeof providerEndpoints
export const providerNames = Object.keys(providerEndpoints) as [ProviderName] // the keys of a constant object are exactly its declared names

/** Knows which providers are configured. */
export interface ProviderDirectory {
  /** Returns the configured providers; what is known of them if auth is unavailable. */
  list(): Promise<ProviderName[]>
}

/** Time for which a response is used. Configuration changes with a restart of auth only. */
const cacheMs = 300_000

/**
 * Creates the directory. Auth responds 404 for a provider that is not configured, whatever else is wrong with the
 * request: so a request without `code_challenge` tells, and begins no sign-in.
 */
export function createProviderDirectory(options: {
  edgeUrl: string
  timeoutMs: number
  now: () => number
}): ProviderDirectory {
  const { edgeUrl, timeoutMs, now } = options
  let cached: { names: ProviderName[]; at: number } | undefined
  let running: Promise<ProviderName[]> | undefined

  async function isConfigured(name: ProviderName): Promise<boolean> {
    const url = new URL(edgeUrl + providerEndpoints[name].path)
    url.searchParams.set('redirect_uri', edgeUrl)
    const response = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) })
    await response.body?.cancel()
    if (response.status === 404) return false
    if (response.status === 400) return true
    throw new Error(`the request for ${name} has status ${response.status}`)
  }

  async function load(): Promise<ProviderName[]> {
    const configured = await Promise.all(providerNames.map(isConfigured))
    const names = providerNames.filter((_, index) => configured[index])
    cached = { names, at: now() }
    return names
  }

  return {
    async list() {
      if (cached !== undefined && now() - cached.at < cacheMs) return cached.names
      running ??= load().finally(() => {
        running = undefined
      })
      return await running.catch(() => cached?.names ?? [])
    },
  }
}
