import { text } from '@wp/contracts'
import { z } from 'zod'
import { ConnectionFailure } from '../connections/failure.ts'
import { clientOrToken } from './client-or-token.ts'
import { callProvider, type HttpAnswer, refuseFailure } from './http-call.ts'
import { defineProvider, type Outside } from './provider.ts'
import { secretText, under } from './shapes.ts'

const config = z.strictObject({
  client_id: text(500).optional().meta({ description: 'Of an OAuth client; needed with client_secret' }),
})

const secrets = z.strictObject({
  client_secret: secretText().optional(),
  token: secretText()
    .optional()
    .meta({ description: 'A refresh token of the client; without a client, an access token' }),
})

/** RFC 6749, section 5.2. */
const Refusal = z.object({ error: z.string(), error_description: z.string().optional() })

/** A Google account or OAuth client. */
export const google = defineProvider({
  provider: 'google',
  name: 'Google',
  description: 'A Google account by an OAuth client and its refresh token, or by an access token',
  config,
  secrets,
  check: clientOrToken,
  addresses: () => [],
  destination: () => null,
  async test({ config: { client_id: id }, secrets: { client_secret: secret, token } }, outside) {
    if (id === undefined || secret === undefined) return testAccessToken(outside, token ?? '')
    const client = { client_id: id, client_secret: secret }
    // Without a token, a code that cannot be: Google looks at the client first.
    const grant =
      token === undefined
        ? { grant_type: 'authorization_code', code: 'none', redirect_uri: 'http://localhost' }
        : { grant_type: 'refresh_token', refresh_token: token }
    const answer = await post(outside, 'token', { ...client, ...grant })
    const error = refusalOf(answer)
    if (token === undefined && (error === 'invalid_grant' || error === 'redirect_uri_mismatch')) return
    if (error !== undefined) throw new ConnectionFailure('unauthorized', `Google says: ${error}`)
    refuseFailure(answer, 'Google')
  },
})

async function testAccessToken(outside: Outside, token: string): Promise<void> {
  const answer = await post(outside, 'tokeninfo', { access_token: token })
  const error = refusalOf(answer)
  if (error !== undefined) throw new ConnectionFailure('unauthorized', `Google says: ${error}`)
  refuseFailure(answer, 'Google')
}

function post(outside: Outside, path: string, form: Record<string, string>): Promise<HttpAnswer> {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const body = new URLSearchParams(form).toString()
  return callProvider(outside, { url: under(outside.bases.google, path), method: 'POST', headers, body })
}

function refusalOf({ status, json }: HttpAnswer): string | undefined {
  return status === 400 || status === 401 ? (Refusal.safeParse(json).data?.error ?? `status ${status}`) : undefined
}
