import { z } from 'zod'
import { declareEndpoints } from '../../core/endpoint/endpoint.ts'
import { boundedArray, withoutRepeats } from '../../core/shape/bounded.ts'
import { id } from '../../core/shape/id.ts'
import { resourceName } from '../../core/shape/resource-name.ts'
import { listQuery, text, timestamp } from '../../core/shape/shape.ts'
import { timeInput } from '../../core/shape/time-input.ts'

const role = resourceName(100).meta({ description: 'The name of a role, or its `role_id`', examples: ['member'] })

export const GroupRole = z
  .object({
    group: z.string().describe('Name of a group of the directory'),
    role: z.string().describe('Name of the role of its members'),
    role_id: id('role').nullable().describe('Identifier of that role; null for a built-in one'),
  })
  .meta({ id: 'GroupRole' })

export const SignInPolicy = z
  .object({
    workspace_id: id('ws'),
    default_role: z.string().describe('Role of members from the directory that are in no mapped group'),
    default_role_id: id('role').nullable().describe('Null for a built-in role'),
    group_roles: z.array(GroupRole).describe('The first entry with a group of the user applies'),
    updated_at: timestamp().nullable().describe('Null while the policy has its defaults'),
  })
  .meta({ id: 'SignInPolicy' })

export const SignInPolicyPatch = z.strictObject({
  default_role: role.optional(),
  group_roles: withoutRepeats(
    boundedArray(
      z.strictObject({ group: text(256).describe('Name of a group of the directory, in any case'), role }),
      100,
    ),
    ({ group }) => group.toLowerCase(),
  )
    .optional()
    .describe('Replaces the mapping; the first entry with a group of the user applies'),
})

export const ScimToken = z
  .object({
    key_id: id('akey'),
    name: z.string().nullable().describe('Name for people; null without one'),
    last4: z.string().describe('Last four characters of the token, to recognize it'),
    created_by: z.string().describe('The principal that created it'),
    created_at: timestamp(),
    expires_at: timestamp().nullable().describe('When it stops working; null: never'),
    last_used_at: timestamp().nullable().describe('Time of its last request, not exact; null before the first'),
  })
  .meta({ id: 'ScimToken' })

const tokens = '/v1/auth/scim-tokens'
const policy = '/v1/auth/sign-in-policy'

/** The tokens of a directory, and the rules by which its users become members. */
export const authDirectory = declareEndpoints('auth', {
  createScimToken: {
    method: 'POST',
    path: tokens,
    summary: 'Create a token for a directory (SCIM); it is shown once',
    description:
      'Enter `base_url` and `token` in Entra ID, Okta or another directory. The token is an API key whose only scope is `auth:provision`, and is listed with the API keys too. It stays when its creator leaves the directory.',
    scope: 'auth:admin',
    credentials: ['bearer'],
    body: z.strictObject({
      name: resourceName(100).optional().describe('Name for people'),
      expires_at: timeInput().optional().describe('When the token stops working; default: never'),
    }),
    created: z
      .object({
        key_id: id('akey'),
        token: z.string().describe('The token, shown in this response only'),
        base_url: z.string().describe('Address of the SCIM endpoints, for the directory'),
        name: z.string().nullable().describe('Name for people; null without one'),
        last4: z.string().describe('Last four characters of the token, to recognize it'),
        created_at: timestamp(),
        expires_at: timestamp().nullable().describe('When it stops working; null: never'),
      })
      .meta({ id: 'NewScimToken' }),
    location: '/v1/auth/api-key/{key_id}',
    secret: { idField: 'key_id' },
    errors: ['scope_escalation', 'quota_exceeded'],
    audit: { action: 'scim_token.created', target: 'api_key', field: 'key_id' },
  },
  listScimTokens: {
    method: 'GET',
    path: tokens,
    summary: 'List the tokens of directories, without their secrets',
    description: 'Lists the API keys of the workspace whose only scope is `auth:provision`.',
    scope: 'auth:admin',
    credentials: ['bearer'],
    query: listQuery({}),
    list: ScimToken,
  },
  deleteScimToken: {
    method: 'DELETE',
    path: `${tokens}/{key_id}`,
    summary: 'Delete the token of a directory; it stops working within a second',
    description: 'Members that the directory added stay. Requests with the token are refused with 401.',
    scope: 'auth:admin',
    credentials: ['bearer'],
    params: z.object({ key_id: id('akey') }),
    deleted: 'key_id',
    audit: { action: 'scim_token.deleted', target: 'api_key', field: 'key_id' },
  },
  getSignInPolicy: {
    method: 'GET',
    path: policy,
    summary: 'Read the roles that members from a directory get',
    description: 'The default role, and the roles of groups.',
    scope: 'auth:read',
    ok: SignInPolicy,
  },
  updateSignInPolicy: {
    method: 'PATCH',
    path: policy,
    summary: 'Change the roles that members from a directory get',
    description:
      '`group_roles` replaces the whole mapping, and applies at once to members from the directory, other than owners. No group can give the owner role.',
    scope: 'auth:admin',
    body: SignInPolicyPatch,
    ok: SignInPolicy,
    errors: ['unknown_reference', 'scope_escalation', 'owner_required'],
    audit: { action: 'sign_in_policy.changed', target: 'workspace', field: 'workspace_id' },
  },
})
