import { z } from 'zod'
import { declareEndpoints } from '../../core/endpoint/endpoint.ts'
import { id } from '../../core/shape/id.ts'
import { scimGroupEndpoints } from './scim-groups.ts'
import { scim, scimAttributes, scimList, scimMediaType, scimPath } from './scim-protocol.ts'
import { NewScimUser, ScimPatch, ScimResource, ScimResourceList, ScimUser, ScimUserList } from './scim-shapes.ts'

const users = `${scimPath}/Users` as const
const userPath = z.object({ scim_user_id: id('scu') })
const one = { description: 'The user', content: { [scimMediaType]: ScimUser } }

/**
 * The System for Cross-domain Identity Management, version 2.0 (RFC 7643, RFC 7644): directories such as Entra ID and
 * Okta add, change and remove members with it.
 */
export const authScim = declareEndpoints('auth', {
  getScimConfig: {
    ...scim,
    method: 'GET',
    path: `${scimPath}/ServiceProviderConfig`,
    summary: 'Read what the SCIM service supports',
    description: 'RFC 7643 section 5: PATCH, filters and entity tags are supported; bulk requests and sorting are not.',
    httpResponses: { 200: { description: 'The configuration', content: { [scimMediaType]: ScimResource } } },
  },
  listScimResourceTypes: {
    ...scim,
    method: 'GET',
    path: `${scimPath}/ResourceTypes`,
    summary: 'List the SCIM resource types',
    description: 'RFC 7643 section 6: users and groups.',
    httpResponses: { 200: { description: 'The types', content: { [scimMediaType]: ScimResourceList } } },
  },
  getScimResourceType: {
    ...scim,
    method: 'GET',
    path: `${scimPath}/ResourceTypes/{name}`,
    summary: 'Read a SCIM resource type',
    description: 'The type `User` or `Group`, with its endpoint and schema.',
    params: z.object({
      name: z
        .string()
        .max(100)
        .meta({ description: '`User` or `Group`', examples: ['User'] }),
    }),
    httpResponses: { 200: { description: 'The type', content: { [scimMediaType]: ScimResource } } },
    errors: ['not_found'],
  },
  listScimSchemas: {
    ...scim,
    method: 'GET',
    path: `${scimPath}/Schemas`,
    summary: 'List the SCIM schemas',
    description: 'RFC 7643 section 7: the attributes of users and groups that are kept.',
    httpResponses: { 200: { description: 'The schemas', content: { [scimMediaType]: ScimResourceList } } },
  },
  getScimSchema: {
    ...scim,
    method: 'GET',
    path: `${scimPath}/Schemas/{urn}`,
    summary: 'Read a SCIM schema',
    description: 'The attributes of users or of groups that are kept.',
    params: z.object({
      urn: z
        .string()
        .max(200)
        .meta({ description: 'URN of the schema', examples: ['urn:ietf:params:scim:schemas:core:2.0:User'] }),
    }),
    httpResponses: { 200: { description: 'The schema', content: { [scimMediaType]: ScimResource } } },
    errors: ['not_found'],
  },
  listScimUsers: {
    ...scim,
    method: 'GET',
    path: users,
    summary: 'List the users of the directory',
    description:
      'Accepts `filter` (RFC 7644 section 3.4.2.2) over `id`, `userName`, `externalId`, `active`, `displayName`, `name`, `emails` and `meta`, and `startIndex` and `count`; a page has at most 200 users.',
    query: scimList,
    httpResponses: { 200: { description: 'A page of users', content: { [scimMediaType]: ScimUserList } } },
  },
  createScimUser: {
    ...scim,
    method: 'POST',
    path: users,
    summary: 'Create a user of the directory, who becomes a member',
    description:
      'The account is found by the primary mail address, or else by `userName`. The user is a member at once, with the role of the sign-in policy, and takes a seat. Attributes that are not kept are ignored.',
    body: z.looseObject({}),
    documentedBody: NewScimUser,
    httpResponses: { 201: one },
    errors: ['conflict', 'quota_exceeded'],
    audit: { action: 'user.provisioned', target: 'user' },
  },
  getScimUser: {
    ...scim,
    method: 'GET',
    path: `${users}/{scim_user_id}`,
    summary: 'Read a user of the directory',
    description: 'The response has an entity tag, which `If-None-Match` and `If-Match` accept.',
    params: userPath,
    query: z.object(scimAttributes),
    httpResponses: { 200: one },
    errors: ['not_found'],
  },
  replaceScimUser: {
    ...scim,
    method: 'PUT',
    path: `${users}/{scim_user_id}`,
    summary: 'Replace the attributes of a user of the directory',
    description:
      'With `active` false the member is removed at once, with the keys and service principals that they created; an owner is refused.',
    params: userPath,
    headers: ['if-match'],
    body: z.looseObject({}),
    documentedBody: NewScimUser,
    httpResponses: { 200: one },
    errors: ['not_found', 'conflict', 'owner_required', 'quota_exceeded', 'precondition_failed'],
    audit: { action: 'user.provisioning_changed', target: 'user' },
  },
  patchScimUser: {
    ...scim,
    method: 'PATCH',
    path: `${users}/{scim_user_id}`,
    summary: 'Change attributes of a user of the directory',
    description:
      'Accepts the operations of RFC 7644 section 3.5.2 in the forms that Entra ID and Okta send. With `active` false the member is removed at once; an owner is refused.',
    params: userPath,
    headers: ['if-match'],
    body: z.looseObject({}),
    documentedBody: ScimPatch,
    httpResponses: { 200: one },
    errors: ['not_found', 'conflict', 'owner_required', 'quota_exceeded', 'precondition_failed'],
    audit: { action: 'user.provisioning_changed', target: 'user' },
  },
  deleteScimUser: {
    ...scim,
    method: 'DELETE',
    path: `${users}/{scim_user_id}`,
    summary: 'Delete a user of the directory, who loses the workspace at once',
    description:
      'Removes the member, the keys and service principals that they created, and the sessions of clients for this workspace; an owner is refused. The account stays.',
    params: userPath,
    headers: ['if-match'],
    httpResponses: { 204: { description: 'The user is deleted' } },
    errors: ['not_found', 'owner_required', 'precondition_failed'],
    audit: { action: 'user.deprovisioned', target: 'user' },
  },
  ...scimGroupEndpoints,
  sendScimBulk: {
    ...scim,
    method: 'POST',
    path: `${scimPath}/Bulk`,
    summary: 'Refuse a SCIM bulk request',
    description: 'Bulk requests are not supported: the response is 501. Send the operations one by one.',
    input: 'ignored',
    httpResponses: { 501: { description: 'Not supported', content: { [scimMediaType]: ScimResource } } },
  },
})
