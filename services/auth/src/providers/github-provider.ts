import { toMailAddress } from '@wp/contracts'
import * as oauth from 'openid-client'
import { z } from 'zod'
import type { Provider } from './provider.ts'

export interface GithubOptions {
  /** `https://github.com` and `https://api.github.com`, or the addresses of an Enterprise server. */
  url: string
  apiUrl: string
  clientId: string
  clientSecret: string
  fetch: oauth.CustomFetch
}

const GithubUser = z.object({ id: z.number().int().positive() })
/** More addresses than GitHub allows an account. */
const maxEmails = 1_000
const GithubEmail = z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() })
const GithubEmails = z.array(GithubEmail).max(maxEmails)

/**
 * Creates the GitHub provider. GitHub implements OAuth 2.0, not OpenID Connect, so the identity comes from its API: the
 * user id, and the primary address if GitHub has verified it.
 * @see https://docs.github.com/en/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps
 */
export function createGithubProvider({ url, apiUrl, clientId, clientSecret, fetch }: GithubOptions): Provider {
  const client = new oauth.Configuration(
    {
      issuer: url,
      authorization_endpoint: `${url}/login/oauth/authorize`,
      token_endpoint: `${url}/login/oauth/access_token`,
    },
    clientId,
    undefined,
    oauth.ClientSecretPost(clientSecret),
  )
  client[oauth.customFetch] = fetch
  if (url.startsWith('http:')) oauth.allowInsecureRequests(client)

  async function fetchResource<Shape extends z.ZodType>(
    path: string,
    token: string,
    shape: Shape,
  ): Promise<z.output<Shape>> {
    const headers = new Headers({ accept: 'application/vnd.github+json', 'x-github-api-version': '2022-11-28' })
    const target = new URL(apiUrl + path)
    const response = await oauth.fetchProtectedResource(client, token, target, 'GET', undefined, headers)
    if (!response.ok) throw new Error(`GitHub responded to ${path} with status ${response.status}`)
    return shape.parse(await response.json())
  }

  return {
    async buildAuthorizationUrl({ state, verifier }, callbackUrl) {
      return oauth.buildAuthorizationUrl(client, {
        redirect_uri: callbackUrl,
        scope: 'user:email',
        state,
        code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      })
    },
    async fetchIdentity({ state, verifier }, callbackUrl) {
      const { access_token: token } = await oauth.authorizationCodeGrant(client, callbackUrl, {
        expectedState: state,
        pkceCodeVerifier: verifier,
      })
      const [{ id }, emails] = await Promise.all([
        fetchResource('/user', token, GithubUser),
        fetchResource('/user/emails', token, GithubEmails),
      ])
      const primary = emails.find((one) => one.primary && one.verified)
      return {
        issuer: url,
        subject: String(id),
        email: primary === undefined ? undefined : toMailAddress(primary.email),
      }
    },
  }
}
