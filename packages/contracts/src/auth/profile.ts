import { z } from 'zod'
import { declareEndpoints } from '../core/endpoint/endpoint.ts'
import { boundedArray, boundedRecord, withoutRepeats } from '../core/shape/bounded.ts'
import { languageTag, timeZone } from '../core/shape/locale.ts'
import { resourceName } from '../core/shape/resource-name.ts'
import { text } from '../core/shape/shape.ts'
import { isSecureWebAddress, webAddress } from '../core/shape/web-address.ts'
import { Profile } from './shapes/shapes.ts'

/** Most views that a person can save of one list. */
const maxSavedViews = 20

const page = text(200)
  .regex(/^\/[\w./-]*$/, 'must be the path of a list, such as /audit')
  .meta({ description: 'Path of the list within the workspace, such as `/audit`', examples: ['/audit'] })

const filterValue = z.union([text(500), z.number(), z.boolean(), boundedArray(text(200), 20)])

export const SavedView = z
  .strictObject({
    name: resourceName(60).describe('Name for people; the views of a page have different names'),
    search: boundedRecord(text(40), filterValue, 20).describe('The filters, by the name of the parameter'),
  })
  .meta({ id: 'SavedView' })

const SavedViews = z
  .object({
    page,
    views: withoutRepeats(boundedArray(SavedView, maxSavedViews), ({ name }) => name).describe(
      'The views of the page, in the order in which they are shown',
    ),
  })
  .meta({ id: 'SavedViews' })

const ofPerson = 'Saved views are named filters of a list. They belong to one person in one workspace.'

/** The profile of the caller, and the named filters of a user. */
export const profileEndpoints = declareEndpoints('auth', {
  me: {
    method: 'GET',
    path: '/v1/auth/me',
    summary: 'The profile of the caller',
    description: 'For a token restricted by `scope`, `credential.scopes` names what is left.',
    workspace: 'none',
    acceptsDownscopedTokens: true,
    volatile: ['credential'],
    ok: Profile,
  },
  updateMe: {
    method: 'PATCH',
    path: '/v1/auth/me',
    summary: 'Update the profile of the signed-in user',
    description:
      'Changes the fields that are sent and leaves the others; null clears a field. Locale and time zone apply to mails and notifications.',
    workspace: 'none',
    principals: ['user'],
    body: z.strictObject({
      name: resourceName(200).nullable().optional().describe('Name that other members see; null removes it'),
      locale: languageTag()
        .nullable()
        .optional()
        .describe('Language tag (BCP 47) for mails and notifications; null: that of the workspace'),
      timezone: timeZone()
        .nullable()
        .optional()
        .describe('IANA time zone for mails and notifications; null: that of the workspace'),
      avatar_url: webAddress(2000)
        .refine(isSecureWebAddress, 'must be a URL that begins with https://')
        .nullable()
        .optional()
        .describe('Address of a picture, by https; null removes it'),
    }),
    volatile: ['credential'],
    ok: Profile,
    audit: { action: 'user.updated', target: 'user', field: 'user_id' },
  },
  getSavedViews: {
    method: 'GET',
    path: '/v1/auth/me/views',
    summary: 'The saved views of a list, of the signed-in user',
    description: `${ofPerson} The oldest view comes first.`,
    scope: 'workspace:read',
    principals: ['user'],
    query: z.strictObject({ page }),
    ok: SavedViews,
    errors: ['validation_failed'],
  },
  replaceSavedViews: {
    method: 'PUT',
    path: '/v1/auth/me/views',
    summary: 'Replace the saved views of a list',
    description: `${ofPerson} They are deleted when the person leaves the workspace. An empty array removes those of the list.`,
    scope: 'workspace:read',
    principals: ['user'],
    body: z.strictObject(SavedViews.shape),
    ok: SavedViews,
    errors: ['validation_failed'],
  },
})
