import type { Outbound } from '@wp/outbound'
import { createGithubProvider } from './github-provider.ts'
import { createOpenIdProvider } from './openid-provider.ts'
import { createOutboundFetch } from './outbound-fetch.ts'
import type { Provider, ProviderName } from './provider.ts'

/** The configured providers. */
export interface Providers {
  get(name: ProviderName): Provider | undefined
}

/** The environment variables that configure the providers. */
interface ProviderVariables {
  GOOGLE_CLIENT_ID?: string | undefined
  GOOGLE_CLIENT_SECRET?: string | undefined
  GOOGLE_ISSUER: string
  GITHUB_CLIENT_ID?: string | undefined
  GITHUB_CLIENT_SECRET?: string | undefined
  GITHUB_URL: string
  GITHUB_API_URL: string
}

/**
 * Creates the configured providers.
 * @param outbound the guarded client, because the metadata of a provider can name arbitrary addresses
 */
export function createProviders(
  config: ProviderVariables,
  outbound: Pick<Outbound, 'request'>,
  now: () => number,
): Providers {
  const createFetch = (...urls: string[]) =>
    createOutboundFetch(
      outbound,
      urls.every((url) => url.startsWith('http:')),
    )
  const google = oauthClient(config.GOOGLE_CLIENT_ID, config.GOOGLE_CLIENT_SECRET)
  const github = oauthClient(config.GITHUB_CLIENT_ID, config.GITHUB_CLIENT_SECRET)
  const { GOOGLE_ISSUER: issuer, GITHUB_URL: url, GITHUB_API_URL: apiUrl } = config
  const configured: Record<ProviderName, Provider | undefined> = {
    google: google && createOpenIdProvider({ ...google, issuer, fetch: createFetch(issuer), now }),
    github: github && createGithubProvider({ ...github, url, apiUrl, fetch: createFetch(url, apiUrl) }),
  }
  return { get: (name) => configured[name] }
}

const oauthClient = (clientId: string | undefined, clientSecret: string | undefined) =>
  clientId === undefined || clientSecret === undefined ? undefined : { clientId, clientSecret }
