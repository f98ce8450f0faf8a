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
    user_id: id('usr').describe(
      'While the user is invited, an id of the invitation, which does not tell whether the person has an account; the id of the user from the acceptance on',
    ),
    email: z.string().describe('Mail address'),
    /** Null while the user is invited: the name is visible to members only. */
    name: z.string().nullable().describe('Name of the user; null without one, and while the user is invited'),
    role: z.string().describe('Name of the role'),
    /** Null for a built-in role. */
    role_id: id('role').nullable().describe('Identifier of the role; null for a built-in one'),
    status: z.enum(['active', 'invited']).describe('`invited` until the user accepts'),
    invitation: z
      .object({ id: id('inv'), expires_at: timestamp().describe('When the invitation expires') })
      .nullable()
      .describe('The open invitation; null for members'),
    created_at: timestamp(),
    updated_at: timestamp(),
  })
  .meta({ id: 'WorkspaceUser' })

export const NewUser = z.strictObject({
  email: mailAddress().describe('Mail address to which the invitation is sent'),
  role: roleReference,
})
export const UserPatch = z.strictObject({ role: roleReference.optional() })
export const userPath = z.object({ user_id: id('usr') })
export const revokeKeys = z
  .stringbool()
  .default(false)
  .describe(
    'True to delete the API keys and service principals that the user created, and those that these principals created; otherwise they stay with the workspace',
  )

export const Role = z
  .object({
    /** For a built-in role: its name. */
    role_id: z.string().describe('Identifier of the role; the name of a built-in one'),
    name: z.string().describe('Name of the role, unique in the workspace'),
    description: z.string().nullable().describe('What the role is for, for people; null without a text'),
    scopes: z.array(z.enum(scopes)).describe('What members with the role may do'),
    built_in: z.boolean().describe('True for a role of the platform, which cannot be changed'),
    /** Null for a built-in role. */
    created_at: timestamp().nullable(),
    updated_at: timestamp().nullable(),
  })
  .meta({ id: 'Role' })

/** Unlike an id, because roles are referenced by name. */
const roleName = resourceName(100)
  .refine((name) => !/^role_/i.test(name), 'must not look like an identifier')
  .describe('Name of the role, unique in the workspace')

export const NewRole = z.strictObject({
  name: roleName,
  scopes: scopeList.describe('What members with the role may do'),
  description: text(500).nullable().optional().describe('What the role is for, for people'),
})
export const RolePatch = z.strictObject({
  name: roleName.optional(),
  scopes: scopeList.optional().describe('Replaces what members with the role may do'),
  description: text(500).nullable().optional().describe('What the role is for, for people; null removes the text'),
})

const builtInNames = Object.keys(builtInRoles) as [keyof typeof builtInRoles] // the keys of a constant object are exactly its declared names
export const roleId = z
  .union([z.enum(builtInNames), id('role')])
  .describe('Identifier of a role, or the name of a built-in one')
export const rolePath = z.object({ role_id: roleId })

/** A pending invitation, as the invited user sees it. */
export const Invitation = z
  .object({
    id: id('inv'),
    workspace_id: id('ws'),
    workspace_name: z.string().describe('Name of the workspace'),
    role: z.string().describe('Role that the user gets'),
    created_at: timestamp(),
    expires_at: timestamp().describe('When the invitation expires'),
  })
  .meta({ id: 'Invitation' })

export const invitationPath = z.object({ id: id('inv') })
export const invitationToken = z.strictObject({
  token: text(200).describe('The token of the link in the mail'),
})
export const AcceptedInvitation = z
  .object({ workspace_id: id('ws'), role: z.string().describe('Role of the user in the workspace') })
  .meta({ id: 'AcceptedInvitation' })
export const DeclinedInvitation = z
  .object({ id: id('inv'), declined: z.literal(true).describe('Always true') })
  .meta({ id: 'DeclinedInvitation' })
