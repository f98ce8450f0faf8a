import { z } from 'zod'
import { endpoint } from '../core/endpoint/endpoint.ts'
import { isLocale, isTimeZone } from '../core/shape/locale.ts'
import { text } from '../core/shape/shape.ts'
import { Profile } from './shapes/shapes.ts'

/** The profile of the caller. */
export const profileEndpoints = {
  me: endpoint({
    id: 'auth.me',
    method: 'GET',
    path: '/v1/auth/me',
    summary: 'The profile of the caller',
    description: 'For a token restricted by `scope`, `credential.scopes` names what is left.',
    workspace: 'none',
    acceptsDownscopedTokens: true,
    volatile: ['credential'],
    ok: Profile,
  }),
  updateMe: endpoint({
    id: 'auth.updateMe',
    method: 'PATCH',
    path: '/v1/auth/me',
    summary: 'Update the profile of the signed-in user',
    description:
      'Changes the fields that are sent and leaves the others; null clears a field. Locale and time zone apply to mails and notifications.',
    workspace: 'none',
    principals: ['user'],
    body: z.strictObject({
      name: text(200).nullable().optional(),
      locale: text(35).refine(isLocale, 'must be a language tag (BCP 47)').nullable().optional(),
      timezone: text(64).refine(isTimeZone, 'must be an IANA time zone').nullable().optional(),
      avatar_url: z
        .url({ protocol: /^https$/ })
        .max(2000)
        .nullable()
        .optional(),
    }),
    volatile: ['credential'],
    ok: Profile,
    audit: { action: 'user.updated', target: 'user', field: 'user_id' },
  }),
}
