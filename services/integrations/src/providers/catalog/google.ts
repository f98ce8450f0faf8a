import { text } from '@wp/contracts'
import { z } from 'zod'
import { callProvider, checkClientOrToken, type ProviderResponse, throwOnErrorStatus } from '../call-provider.ts'
import { ConnectionFailure } from '../connection-failure.ts'
import { defineProvider, secretText, type TestAccess, under } from '../provider.ts'

const config = z.strictObject({
  client_id: text(500).optional().describe('Client id of an OAuth client; required with client_secret'),
})

const secrets = z.strictObject({
  client_secret: secretText().optional(),
  token: secretText().optional().describe('A refresh token of the client; without a client, an access token'),
})

/** An error response by RFC 6749, section 5.2. */
const OAuthError = z.object({ error: z.string(), error_description: z.string().optional() })

/** A Google account or OAuth client. */
export const google = defineProvider({
  provider: 'google',
  name: 'Google',
  description: 'A Google account by an OAuth client and its refresh token, or by an access token',
  config,
  secrets,
  check: checkClientOrToken,
  addresses: () => [],
  destination: () => null,
  async test({ config: { client_id: id }, secrets: { client_secret: secret, token } }, access) {
    if (id === undefined || secret === undefined) return testAccessToken(access, token ?? '')
    const client = { client_id: id, client_secret: secret }
    // Without a token an invalid code is exchanged: Google checks the client first.
    const grant =
      token === undefined
        ? { grant_type: 'authorization_code', code: 'none', redirect_uri: 'http://localhost' }
        : { grant_type: 'refresh_token', refresh_token: token }
    const response = await post(access, 'token', { ...client, ...grant })
    const error = oauthErrorOf(response)
    if (token === undefined && (error === 'invalid_grant' || error === 'redirect_uri_mismatch')) return
    if (error !== undefined) throw new ConnectionFailure('unauthorized', `Google rejected the credentials: ${error}`)
    throwOnErrorStatus(response, 'Google')
  },
})

async function testAccessToken(access: TestAccess, token: string): Promise<void> {
  const response = await post(access, 'tokeninfo', { access_token: token })
  const error = oauthErrorOf(response)
  if (error !== undefined) throw new ConnectionFailure('unauthorized', `Google rejected the credentials: ${error}`)
  throwOnErrorStatus(response, 'Google')
}

function post(access: TestAccess, path: string, form: Record<string, string>): Promise<ProviderResponse> {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const body = new URLSearchParams(form).toString()
  return callProvider(access, { url: under(access.baseUrls.google, path), method: 'POST', headers, body })
}

function oauthErrorOf({ status, json }: ProviderResponse): string | undefined {
  return status === 400 || status === 401 ? (OAuthError.safeParse(json).data?.error ?? `status ${status}`) : undefined
}
