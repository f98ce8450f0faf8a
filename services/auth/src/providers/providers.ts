import { createOutbound } from '@wp/outbound'
import type { Config } from '../config.ts'
import { createGithubProvider } from './github-provider.ts'
import { createOpenIdProvider } from './openid-provider.ts'
import { createOutboundFetch } from './outbound-fetch.ts'
import type { Provider, ProviderName } from './provider.ts'

/** The providers that are set up here. */
export interface Providers {
  get(name: ProviderName): Provider | undefined
  close(): void
}

/** Calls to them go through the guarded client: what a provider says of itself names further addresses. */
export function createProviders(config: Config, now: () => number): Providers {
  const outbound = createOutbound({
    allowCidrs: config.OUTBOUND_ALLOW_CIDRS ?? [],
    caFile: config.OUTBOUND_CA_FILE,
    production: config.ENVIRONMENT === 'production',
  })
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
  return { get: (name) => configured[name], close: () => outbound.close() }
}

const oauthClient = (clientId: string | undefined, clientSecret: string | undefined) =>
  clientId === undefined || clientSecret === undefined ? undefined : { clientId, clientSecret }
