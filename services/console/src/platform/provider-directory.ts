import { authSignIn } from '@wp/contracts'

/** The providers a user may sign in with, if they are configured. */
export const providerEndpoints = { google: authSignIn.loginWithGoogle, github: authSignIn.loginWithGithub } as const
export type ProviderName = keyof typeof providerEndpoints
export const providerNames = Object.keys(providerEndpoints) as [ProviderName] // the keys of a constant object are exactly its declared names

/** Knows which providers are configured. */
export interface ProviderDirectory {
  /** Returns the configured providers; what is known of them if auth is unavailable. */
  list(): Promise<ProviderName[]>
  /**
   * Tells whether a company has connected its provider for the domain of a mail address.
   * @param headers those of the browser, by which the request counts as its own
   * @throws an error if auth is unavailable
   */
  hasCompany(email: string, headers: Record<string, string>): Promise<boolean>
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

  async function isConfigured(path: string, query: Record<string, string> = {}, headers = {}): Promise<boolean> {
    const parameters = new URLSearchParams({ ...query, redirect_uri: edgeUrl })
    const signal = AbortSignal.timeout(timeoutMs)
    const response = await fetch(`${edgeUrl}${path}?${parameters}`, { redirect: 'manual', headers, signal })
    await response.body?.cancel()
    if (response.status === 404) return false
    if (response.status === 400) return true
    throw new Error(`the request for ${path} has status ${response.status}`)
  }

  async function load(): Promise<ProviderName[]> {
    const configured = await Promise.all(providerNames.map((name) => isConfigured(providerEndpoints[name].path)))
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
    hasCompany: (email, headers) => isConfigured(authSignIn.loginWithSso.path, { email }, headers),
  }
}
