import { z } from 'zod'
import { id } from '../../core/shape/id.ts'
import { timestamp } from '../../core/shape/shape.ts'

/** The tokens of a session: `data` of form B of the token endpoint, and of `verify`. */
export const SessionTokens = z
  .object({
    user: z.object({ user_id: id('usr'), email: z.string() }),
    access_token: z.string(),
    refresh_token: z.string(),
    token_type: z.literal('Bearer'),
    /** Seconds until the access token expires. */
    expires_in: z.number().int(),
    /** Expiry of the refresh token, if it is not used before. */
    refresh_expires_at: timestamp(),
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
    success: z.literal(true),
    data: SessionTokens,
    access_token: z.string().optional(),
    refresh_token: z.string().optional(),
    token_type: z.literal('Bearer').optional(),
    expires_in: z.number().int().optional(),
    scope: z.string().optional(),
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
    client_name: z.string().nullable(),
    ip: z.string().nullable(),
    user_agent: z.string().nullable(),
    device: z.string().meta({ description: 'Browser and system by the user agent', examples: ['Firefox on Windows'] }),
    current: z.boolean().meta({ description: 'True for the session of this request' }),
    created_at: timestamp(),
    last_used_at: timestamp(),
    expires_at: timestamp().meta({ description: 'Expiry of the session, if it is not used before' }),
  })
  .meta({ id: 'Session' })

export const sessionPath = z.object({ id: id('ses') })

export const RevokeRequest = z
  .object({
    token: z.string().min(1).max(8192),
    token_type_hint: z.string().max(100).optional(),
    client_id: z.string().max(1000).optional(),
    client_secret: z.string().max(500).optional(),
  })
  .meta({ id: 'RevokeRequest' })
