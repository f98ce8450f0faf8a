import { text } from '@wp/contracts'
import { z } from 'zod'
import { callProvider, checkClientOrToken, throwOnErrorStatus } from '../call-provider.ts'
import { ConnectionFailure } from '../connection-failure.ts'
import { defineProvider, headerSecret, secretText, type TestAccess, under } from '../provider.ts'

const config = z.strictObject({
  client_id: text(500).optional().describe('Client id of an OAuth app; required with client_secret'),
})

const secrets = z.strictObject({
  client_secret: secretText().optional(),
  token: headerSecret().optional().describe('A personal access token or an app token'),
})

const OAuthError = z.object({ error: z.string() })

/** A GitHub account or OAuth app. */
export const github = defineProvider({
  provider: 'github',
  name: 'GitHub',
  description: 'A GitHub account, by token, or an OAuth app',
  config,
  secrets,
  check: checkClientOrToken,
  addresses: () => [],
  destination: () => null,
  async test({ config: { client_id: id }, secrets: { client_secret: secret, token } }, access) {
    if (token !== undefined) await testToken(access, token)
    if (id !== undefined && secret !== undefined) await testApp(access, id, secret)
  },
})

async function testToken(access: TestAccess, token: string): Promise<void> {
  const headers = {
    authorization: `Bearer ${token}`,
    accept: 'application/vnd.github+json',
    'x-github-api-version': '2022-11-28',
  }
  throwOnErrorStatus(await callProvider(access, { url: under(access.baseUrls.githubApi, 'user'), headers }), 'GitHub')
}

/**
 * Exchanges an invalid code: GitHub checks the app first, so the error tells whether client id and secret are valid.
 */
async function testApp(access: TestAccess, id: string, secret: string): Promise<void> {
  const response = await callProvider(access, {
    url: under(access.baseUrls.github, 'login/oauth/access_token'),
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ client_id: id, client_secret: secret, code: 'none' }).toString(),
  })
  if (response.status === 404) throw new ConnectionFailure('unauthorized', 'GitHub does not know this client_id')
  throwOnErrorStatus(response, 'GitHub')
  const error = OAuthError.safeParse(response.json).data?.error
  if (error === undefined) throw new ConnectionFailure('protocol', 'GitHub sent an unexpected response')
  if (error !== 'bad_verification_code')
    throw new ConnectionFailure('unauthorized', `GitHub rejected the OAuth app: ${error}`)
}
