import { z } from 'zod'
import { id } from '../../core/shape/id.ts'
import { timestamp } from '../../core/shape/shape.ts'

/** The tokens of a session: `data` of form B of the token endpoint, and of `verify`. */
export const SessionTokens = z
  .object({
    user: z
      .object({ user_id: id('usr'), email: z.string().meta({ description: 'Mail address of the user' }) })
      .meta({ description: 'The signed-in user' }),
    access_token: z.string().meta({ description: 'Send it as `Authorization: Bearer`' }),
    refresh_token: z.string().meta({ description: 'Gets the next tokens at `POST /v1/auth/token`; works once' }),
    token_type: z.literal('Bearer').meta({ description: 'How the access token is used' }),
    /** Seconds until the access token expires. */
    expires_in: z.number().int().meta({ description: 'Seconds until the access token expires' }),
    /** Expiry of the refresh token, if it is not used before. */
    refresh_expires_at: timestamp().meta({ description: 'When the refresh token expires, if it is not used before' }),
    scope: z.string().optional().meta({ description: 'The scopes of the access token, if it was downscoped' }),
  })
  .meta({ id: 'SessionTokens' })
export type SessionTokens = z.infer<typeof SessionTokens>

/**
 * The response of form B. If the request is form-encoded, the values are also at the top level (RFC 6749 section 5.1),
 * where OAuth libraries expect them.
 */
export const SessionTokenResponse = z
  .object({
    success: z.literal(true).meta({ description: 'Always true' }),
    data: SessionTokens,
    access_token: z.string().optional().meta({ description: 'The same as in `data`, for clients of OAuth' }),
    refresh_token: z.string().optional().meta({ description: 'The same as in `data`, for clients of OAuth' }),
    token_type: z.literal('Bearer').optional().meta({ description: 'The same as in `data`, for clients of OAuth' }),
    expires_in: z.number().int().optional().meta({ description: 'The same as in `data`, for clients of OAuth' }),
    scope: z.string().optional().meta({ description: 'Scopes of the access token, separated by spaces' }),
  })
  .meta({ id: 'SessionTokenResponse' })

/** A session of the signed-in user. */
export const Session = z
  .object({
    id: id('ses'),
    method: z.string().meta({ description: 'The sign-in method, for example `mail` or `google`' }),
    client_id: z
      .string()
      .nullable()
      .meta({ description: 'The client that the session was granted to; null for the platform itself' }),
    client_name: z
      .string()
      .nullable()
      .meta({ description: 'Name of the client; null for the platform itself, and for a client without a name' }),
    ip: z.string().nullable().meta({ description: 'Address from which the user signed in; null if it is not known' }),
    user_agent: z
      .string()
      .nullable()
      .meta({ description: 'Browser or program of the sign-in, as it names itself; null if it is not known' }),
    device: z.string().meta({ description: 'Browser and system by the user agent', examples: ['Firefox on Windows'] }),
    current: z.boolean().meta({ description: 'True for the session of this request' }),
    created_at: timestamp(),
    last_used_at: timestamp().meta({ description: 'Time of its last request, not exact' }),
    expires_at: timestamp().meta({ description: 'Expiry of the session, if it is not used before' }),
  })
  .meta({ id: 'Session' })

export const sessionPath = z.object({ id: id('ses') })

export const RevokeRequest = z
  .object({
    token: z.string().min(1).max(8192).meta({ description: 'The access token or refresh token to revoke' }),
    token_type_hint: z.string().max(100).optional().meta({ description: 'Ignored: the token says what it is' }),
    client_id: z
      .string()
      .max(1000)
      .optional()
      .meta({ description: 'The client that the token was issued to, unless it authenticates by HTTP Basic' }),
    client_secret: z
      .string()
      .max(500)
      .optional()
      .meta({ description: 'Secret of a service principal, unless it authenticates by HTTP Basic' }),
  })
  .meta({ id: 'RevokeRequest' })
