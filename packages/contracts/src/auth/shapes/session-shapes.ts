import { z } from 'zod'
import { id } from '../../core/shape/id.ts'
import { timestamp } from '../../core/shape/shape.ts'

/** The tokens of a session: `data` of form B of the token endpoint, and of `verify`. */
export const SessionTokens = z
  .object({
    user: z
      .object({ user_id: id('usr'), email: z.string().describe('Mail address of the user') })
      .describe('The signed-in user'),
    access_token: z.string().describe('Send it as `Authorization: Bearer`'),
    refresh_token: z.string().describe('Gets the next tokens at `POST /v1/auth/token`; works once'),
    token_type: z.literal('Bearer').describe('How the access token is used'),
    /** Seconds until the access token expires. */
    expires_in: z.number().int().describe('Seconds until the access token expires'),
    /** Expiry of the refresh token, if it is not used before. */
    refresh_expires_at: timestamp().describe('When the refresh token expires, if it is not used before'),
    scope: z.string().optional().describe('The scopes of the access token, if it was downscoped'),
  })
  .meta({ id: 'SessionTokens' })
export type SessionTokens = z.infer<typeof SessionTokens>

/**
 * The response of form B. If the request is form-encoded, the values are also at the top level (RFC 6749 section 5.1),
 * where OAuth libraries expect them.
 */
export const SessionTokenResponse = z
  .object({
    success: z.literal(true).describe('Always true'),
    data: SessionTokens,
    access_token: z.string().optional().describe('The same as in `data`, for clients of OAuth'),
    refresh_token: z.string().optional().describe('The same as in `data`, for clients of OAuth'),
    token_type: z.literal('Bearer').optional().describe('The same as in `data`, for clients of OAuth'),
    expires_in: z.number().int().optional().describe('The same as in `data`, for clients of OAuth'),
    scope: z.string().optional().describe('Scopes of the access token, separated by spaces'),
  })
  .meta({ id: 'SessionTokenResponse' })

/** A session of the signed-in user. */
export const Session = z
  .object({
    id: id('ses'),
    method: z.string().describe('The sign-in method, for example `mail` or `google`'),
    client_id: z
      .string()
      .nullable()
      .describe('The client that the session was granted to; null for the platform itself'),
    client_name: z
      .string()
      .nullable()
      .describe('Name of the client; null for the platform itself, and for a client without a name'),
    ip: z.string().nullable().describe('Address from which the user signed in; null if it is not known'),
    user_agent: z
      .string()
      .nullable()
      .describe('Browser or program of the sign-in, as it names itself; null if it is not known'),
    device: z.string().meta({ description: 'Browser and system by the user agent', examples: ['Firefox on Windows'] }),
    current: z.boolean().describe('True for the session of this request'),
    created_at: timestamp(),
    last_used_at: timestamp().describe('Time of its last request, not exact'),
    expires_at: timestamp().describe('Expiry of the session, if it is not used before'),
  })
  .meta({ id: 'Session' })

export const sessionPath = z.object({ id: id('ses') })

export const RevokeRequest = z
  .object({
    token: z.string().min(1).max(8192).describe('The access token or refresh token to revoke'),
    token_type_hint: z.string().max(100).optional().describe('Ignored: the token says what it is'),
    client_id: z
      .string()
      .max(1000)
      .optional()
      .describe('The client that the token was issued to, unless it authenticates by HTTP Basic'),
    client_secret: z
      .string()
      .max(500)
      .optional()
      .describe('Secret of a service principal, unless it authenticates by HTTP Basic'),
  })
  .meta({ id: 'RevokeRequest' })
