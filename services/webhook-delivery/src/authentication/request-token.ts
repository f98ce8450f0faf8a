import { type Outbound, OutboundError } from '@wp/outbound'
import { parseJson } from '@wp/runtime'
import { z } from 'zod'
import type { ClientCredentials } from './authentication.ts'

/** Thrown if the platform cannot authenticate at an endpoint. The message is for the owner of the subscription. */
export class AuthenticationError extends Error {
  override readonly name = 'AuthenticationError'
}

export interface TokenContext {
  outbound: Pick<Outbound, 'request'>
  /** Time limit of a token request. */
  tokenTimeoutMs: number
}

const maxResponseBytes = 65_536

/** Lifetime of a token whose response names none. */
const defaultLifetimeSeconds = 300

const maxLifetimeSeconds = 86_400

const TokenResponse = z.object({
  access_token: z.string().regex(/^[\x21-\x7e]{1,16384}$/),
  token_type: z
    .string()
    .regex(/^bearer$/i)
    .optional(),
  expires_in: z.coerce.number().min(0).default(defaultLifetimeSeconds),
})

const ErrorResponse = z.object({ error: z.string().regex(/^[\w.-]{1,60}$/) })

/**
 * Requests an access token by the client credentials grant (RFC 6749, section 4.4).
 * @throws AuthenticationError with the reason; OutboundError `aborted` at shutdown
 */
export async function requestToken(
  { outbound, tokenTimeoutMs }: TokenContext,
  credentials: ClientCredentials,
): Promise<{ value: string; lifetimeMs: number }> {
  const { status, body } = await send(outbound, credentials, tokenTimeoutMs)
  if (status !== 200) {
    const { data } = ErrorResponse.safeParse(parseJson(body.toString()))
    throw new AuthenticationError(
      `the token endpoint responded with ${status}${data === undefined ? '' : ` (${data.error})`}`,
    )
  }
  const parsed = TokenResponse.safeParse(parseJson(body.toString()))
  if (!parsed.success) throw new AuthenticationError('the response of the token endpoint has no bearer token')
  const { access_token: value, expires_in: lifetimeSeconds } = parsed.data
  return { value, lifetimeMs: Math.min(lifetimeSeconds, maxLifetimeSeconds) * 1_000 }
}

async function send(outbound: TokenContext['outbound'], credentials: ClientCredentials, timeoutMs: number) {
  const { token_url, client_id, client_secret, scope, audience, client_authentication } = credentials
  const isBasic = client_authentication === 'basic'
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    ...(scope === null ? {} : { scope }),
    ...(audience === null ? {} : { audience }),
    ...(isBasic ? {} : { client_id, client_secret }),
  })
  try {
    return await outbound.request({
      url: token_url,
      method: 'POST',
      headers: {
        accept: 'application/json',
        'content-type': 'application/x-www-form-urlencoded',
        ...(isBasic ? { authorization: basicCredentials(formEncode(client_id), formEncode(client_secret)) } : {}),
      },
      body: form.toString(),
      timeoutMs,
      maxResponseBytes,
      keepResponseBytes: maxResponseBytes,
      idempotent: true,
    })
  } catch (error) {
    if (!(error instanceof OutboundError) || error.kind === 'aborted') throw error
    throw new AuthenticationError(`the token endpoint failed: ${error.message}`, { cause: error })
  }
}

/** Returns the value of an `Authorization` header (RFC 7617). */
export const basicCredentials = (username: string, password: string): string =>
  `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`

/** Encodes a client id or secret for the header (RFC 6749, section 2.3.1). */
const formEncode = (text: string): string => new URLSearchParams({ '': text }).toString().slice(1)
