import { z } from 'zod'
import { endpoint } from '../core/endpoint/endpoint.ts'
import { boundedArray, boundedRecord, withoutRepeats } from '../core/shape/bounded.ts'
import { resourceName } from '../core/shape/resource-name.ts'
import { text } from '../core/shape/shape.ts'

/** Most views that a person can save of one list. */
export const maxSavedViews = 20

const page = text(200)
  .regex(/^\/[\w./-]*$/, 'must be the path of a list, such as /audit')
  .meta({ description: 'Path of the list within the workspace, such as `/audit`', examples: ['/audit'] })

const filterValue = z.union([text(500), z.number(), z.boolean(), boundedArray(text(200), 20)])

export const SavedView = z
  .strictObject({
    name: resourceName(60),
    search: boundedRecord(text(40), filterValue, 20).meta({ description: 'The filters, by the name of the parameter' }),
  })
  .meta({ id: 'SavedView' })

export const SavedViews = z
  .object({ page, views: withoutRepeats(boundedArray(SavedView, maxSavedViews), ({ name }) => name) })
  .meta({ id: 'SavedViews' })

const ofPerson = 'Saved views are named filters of a list. They belong to one person in one workspace.'

/** Named filters of lists, of a user in a workspace. */
export const savedViewEndpoints = {
  getSavedViews: endpoint({
    id: 'auth.getSavedViews',
    method: 'GET',
    path: '/v1/auth/me/views',
    summary: 'The saved views of a list, of the signed-in user',
    description: `${ofPerson} The oldest view comes first.`,
    scope: 'workspace:read',
    principals: ['user'],
    query: z.strictObject({ page }),
    ok: SavedViews,
    errors: ['validation_failed'],
  }),
  replaceSavedViews: endpoint({
    id: 'auth.replaceSavedViews',
    method: 'PUT',
    path: '/v1/auth/me/views',
    summary: 'Replace the saved views of a list',
    description: `${ofPerson} They are deleted when the person leaves the workspace. An empty array removes those of the list.`,
    scope: 'workspace:read',
    principals: ['user'],
    body: z.strictObject(SavedViews.shape),
    ok: SavedViews,
    errors: ['validation_failed'],
  }),
}
