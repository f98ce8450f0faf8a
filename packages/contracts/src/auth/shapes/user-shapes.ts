import { z } from 'zod'
import { builtInRoles, scopes } from '../../core/endpoint/scope.ts'
import { id } from '../../core/shape/id.ts'
import { mailAddress } from '../../core/shape/mail-address.ts'
import { resourceName } from '../../core/shape/resource-name.ts'
import { text, timestamp } from '../../core/shape/shape.ts'
import { scopeList } from './shapes.ts'

/** A reference to a role: the name of a built-in role, the name of a custom role in any case, or its id. */
const roleReference = resourceName(100).meta({
  description: 'The name of a role, or its `role_id`',
  examples: ['member', 'role_01h455vb4pex5vsknk084sn02q'],
})

export const WorkspaceUser = z
  .object({
    user_id: id('usr').meta({
      description:
        'While the user is invited, an id of the invitation, which does not tell whether the person has an account; the id of the user from the acceptance on',
    }),
    email: z.string(),
    /** Null while the user is invited: the name is visible to members only. */
    name: z.string().nullable(),
    role: z.string(),
    /** Null for a built-in role. */
    role_id: id('role').nullable(),
    status: z.enum(['active', 'invited']),
    invitation: z.object({ id: id('inv'), expires_at: timestamp() }).nullable(),
    created_at: timestamp(),
    updated_at: timestamp(),
  })
  .meta({ id: 'WorkspaceUser' })

export const NewUser = z.strictObject({ email: mailAddress(), role: roleReference })
export const UserPatch = z.strictObject({ role: roleReference.optional() })
export const userPath = z.object({ user_id: id('usr') })
export const revokeKeys = z.stringbool().default(false).meta({
  description:
    'True to delete the API keys and service principals that the user created, and those that these principals created; otherwise they stay with the workspace',
})

export const Role = z
  .object({
    /** For a built-in role: its name. */
    role_id: z.string(),
    name: z.string(),
    description: z.string().nullable(),
    scopes: z.array(z.enum(scopes)),
    built_in: z.boolean(),
    /** Null for a built-in role. */
    created_at: timestamp().nullable(),
    updated_at: timestamp().nullable(),
  })
  .meta({ id: 'Role' })

/** Unlike an id, because roles are referenced by name. */
const roleName = resourceName(100).refine((name) => !/^role_/i.test(name), 'must not look like an identifier')

export const NewRole = z.strictObject({
  name: roleName,
  scopes: scopeList,
  description: text(500).nullable().optional(),
})
export const RolePatch = z.strictObject({
  name: roleName.optional(),
  scopes: scopeList.optional(),
  description: text(500).nullable().optional(),
})

const builtInNames = Object.keys(builtInRoles) as [keyof typeof builtInRoles] // the keys of a constant object are exactly its declared names
export const roleId = z
  .union([z.enum(builtInNames), id('role')])
  .meta({ description: 'Identifier of a role, or the name of a built-in one' })
export const rolePath = z.object({ role_id: roleId })

/** A pending invitation, as the invited user sees it. */
export const Invitation = z
  .object({
    id: id('inv'),
    workspace_id: id('ws'),
    workspace_name: z.string(),
    role: z.string(),
    created_at: timestamp(),
    expires_at: timestamp(),
  })
  .meta({ id: 'Invitation' })

export const invitationPath = z.object({ id: id('inv') })
export const invitationToken = z.strictObject({ token: text(200) })
export const AcceptedInvitation = z
  .object({ workspace_id: id('ws'), role: z.string() })
  .meta({ id: 'AcceptedInvitation' })
export const DeclinedInvitation = z
  .object({ id: id('inv'), declined: z.literal(true) })
  .meta({ id: 'DeclinedInvitation' })
