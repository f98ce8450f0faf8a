import { z } from 'zod'
import { id } from '../core/id.ts'
import { timestamp } from '../core/shape.ts'

/** What somebody who signs in, or refreshes, is given: `data` of form B and of `verify`. */
export const SessionTokens = z
  .object({
    user: z.object({ user_id: id('usr'), email: z.string() }),
    access_token: z.string(),
    refresh_token: z.string(),
    token_type: z.literal('Bearer'),
    /** Seconds until the access token ends. */
    expires_in: z.number().int(),
    /** When the refresh token ends, if it is not used before. */
    refresh_expires_at: timestamp(),
    scope: z.string().optional().meta({ description: 'What the access token was narrowed to, where it was' }),
  })
  .meta({ id: 'SessionAnswer' })
export type SessionTokens = z.infer<typeof SessionTokens>

/**
 * Form B's whole answer. Asked form-encoded, the values stand at top level as well (RFC 6749 section 5.1), so that any
 * OAuth library can use them.
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

/** A session as its user sees it. */
export const Session = z
  .object({
    id: id('ses'),
    method: z.string().meta({ description: 'How the user signed in, for example `mail` or `google`' }),
    ip: z.string().nullable(),
    user_agent: z.string().nullable(),
    current: z.boolean().meta({ description: 'Whether it is the session of this request' }),
    created_at: timestamp(),
    last_used_at: timestamp(),
    expires_at: timestamp().meta({ description: 'When it ends, if it is not used before' }),
  })
  .meta({ id: 'Session' })

export const sessionPath = z.object({ id: id('ses') })

export const RevokeRequest = z
  .object({
    token: z.string().min(1).max(8192),
    token_type_hint: z.string().max(100).optional(),
    client_id: z.string().max(200).optional(),
    client_secret: z.string().max(500).optional(),
  })
  .meta({ id: 'RevokeRequest' })
