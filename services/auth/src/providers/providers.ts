import { createOutbound } from '@wp/outbound'
import type { Config } from '../config.ts'
import { createGithubProvider } from './github.ts'
import { createOpenIdProvider } from './google.ts'
import { outboundFetch } from './outbound-fetch.ts'
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
  const fetchFor = (...urls: string[]) =>
    outboundFetch(
      outbound,
      urls.every((url) => url.startsWith('http:')),
    )
  const google = clientOf(config.GOOGLE_CLIENT_ID, config.GOOGLE_CLIENT_SECRET)
  const github = clientOf(config.GITHUB_CLIENT_ID, config.GITHUB_CLIENT_SECRET)
  const { GOOGLE_ISSUER: issuer, GITHUB_URL: url, GITHUB_API_URL: apiUrl } = config
  const all: Record<ProviderName, Provider | undefined> = {
    google: google && createOpenIdProvider({ ...google, issuer, fetch: fetchFor(issuer), now }),
    github: github && createGithubProvider({ ...github, url, apiUrl, fetch: fetchFor(url, apiUrl) }),
  }
  return { get: (name) => all[name], close: () => outbound.close() }
}

const clientOf = (clientId: string | undefined, clientSecret: string | undefined) =>
  clientId === undefined || clientSecret === undefined ? undefined : { clientId, clientSecret }
