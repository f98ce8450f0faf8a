import { z } from 'zod'
import { endpoint } from '../core/endpoint/endpoint.ts'
import { isLocale, isTimeZone } from '../core/shape/locale.ts'
import { resourceName } from '../core/shape/resource-name.ts'
import { text } from '../core/shape/shape.ts'
import { isSecureWebAddress, webAddress } from '../core/shape/web-address.ts'
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
      name: resourceName(200)
        .nullable()
        .optional()
        .meta({ description: 'Name that other members see; null removes it' }),
      locale: text(35)
        .refine(isLocale, 'must be a language tag (BCP 47)')
        .nullable()
        .optional()
        .meta({ description: 'Language tag (BCP 47) for mails and notifications; null: that of the workspace' }),
      timezone: text(64)
        .refine(isTimeZone, 'must be an IANA time zone')
        .nullable()
        .optional()
        .meta({ description: 'IANA time zone for mails and notifications; null: that of the workspace' }),
      avatar_url: webAddress(2000)
        .refine(isSecureWebAddress, 'must be a URL that begins with https://')
        .nullable()
        .optional()
        .meta({ description: 'Address of a picture, by https; null removes it' }),
    }),
    volatile: ['credential'],
    ok: Profile,
    audit: { action: 'user.updated', target: 'user', field: 'user_id' },
  }),
}
