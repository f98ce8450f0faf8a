import { z } from 'zod'
import { declareEndpoints } from '../../core/endpoint/endpoint.ts'
import { id } from '../../core/shape/id.ts'
import { scim, scimAttributes, scimList, scimMediaType, scimPath } from './scim-protocol.ts'
import { NewScimGroup, ScimGroup, ScimGroupList, ScimPatch } from './scim-shapes.ts'

const groups = `${scimPath}/Groups` as const
const groupPath = z.object({ scim_group_id: id('scg') })
const one = { description: 'The group', content: { [scimMediaType]: ScimGroup } }

/** Groups of the directory, from which the sign-in policy derives roles. */
export const scimGroupEndpoints = declareEndpoints('auth', {
  listScimGroups: {
    ...scim,
    method: 'GET',
    path: groups,
    summary: 'List the groups of the directory',
    description:
      'Accepts `filter` over `id`, `displayName`, `externalId`, `members` and `meta`; with many members, `excludedAttributes=members` makes it quick.',
    query: scimList,
    httpResponses: { 200: { description: 'A page of groups', content: { [scimMediaType]: ScimGroupList } } },
  },
  createScimGroup: {
    ...scim,
    method: 'POST',
    path: groups,
    summary: 'Create a group of the directory',
    description: 'Its members are users of the directory. If the sign-in policy maps the group, they get its role.',
    body: z.looseObject({}),
    documentedBody: NewScimGroup,
    httpResponses: { 201: one },
    errors: ['conflict', 'quota_exceeded'],
    audit: { action: 'group.provisioned', target: 'group' },
  },
  getScimGroup: {
    ...scim,
    method: 'GET',
    path: `${groups}/{scim_group_id}`,
    summary: 'Read a group of the directory',
    description: 'The response has an entity tag, which `If-None-Match` and `If-Match` accept.',
    params: groupPath,
    query: z.object(scimAttributes),
    httpResponses: { 200: one },
    errors: ['not_found'],
  },
  replaceScimGroup: {
    ...scim,
    method: 'PUT',
    path: `${groups}/{scim_group_id}`,
    summary: 'Replace a group of the directory and its members',
    description: 'Members that are not listed leave the group; their roles follow from their other groups.',
    params: groupPath,
    headers: ['if-match'],
    body: z.looseObject({}),
    documentedBody: NewScimGroup,
    httpResponses: { 200: one },
    errors: ['not_found', 'conflict', 'precondition_failed'],
    audit: { action: 'group.provisioning_changed', target: 'group' },
  },
  patchScimGroup: {
    ...scim,
    method: 'PATCH',
    path: `${groups}/{scim_group_id}`,
    summary: 'Change a group of the directory or its members',
    description: 'Accepts the operations of RFC 7644 section 3.5.2 in the forms that Entra ID and Okta send.',
    params: groupPath,
    headers: ['if-match'],
    body: z.looseObject({}),
    documentedBody: ScimPatch,
    httpResponses: { 204: { description: 'The group is changed' } },
    errors: ['not_found', 'conflict', 'precondition_failed'],
    audit: { action: 'group.provisioning_changed', target: 'group' },
  },
  deleteScimGroup: {
    ...scim,
    method: 'DELETE',
    path: `${groups}/{scim_group_id}`,
    summary: 'Delete a group of the directory',
    description: 'Its members stay in the workspace; their roles follow from their other groups.',
    params: groupPath,
    headers: ['if-match'],
    httpResponses: { 204: { description: 'The group is deleted' } },
    errors: ['not_found', 'precondition_failed'],
    audit: { action: 'group.deprovisioned', target: 'group' },
  },
})
