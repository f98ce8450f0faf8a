import { z } from 'zod'
import { id } from './id.ts'
import { timestamp } from './shape.ts'

/** What somebody who signs in, or refreshes, is given: `data` of form B and of `verify`. */
export const SessionAnswer = z
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
export type SessionAnswer = z.infer<typeof SessionAnswer>
