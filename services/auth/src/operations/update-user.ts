import type { authUsers, Operation } from '@wp/contracts'
import type { Context } from '../context.ts'
import { invalidate } from '../invalidate.ts'
import { administer, namedInBody } from '../roles/administer.ts'
import { checkGrant, checkReach } from '../roles/authority.ts'
import { personView } from '../roles/views.ts'
import { updateInvitation } from '../store/invitations.ts'
import { updateMember } from '../store/members.ts'
import { findPerson } from '../store/people.ts'
import { findNamedRole } from '../store/roles.ts'
import { unknownRole } from './invite-user.ts'

/** Gives somebody another role: one that is the caller's to give, and only who may no more than the caller. */
export const updateUser: Operation<typeof authUsers.updateUser, Context> = async (context, caller, input) => {
  const { workspaceId } = caller
  const { user_id: userId } = input.params
  return await administer(context, caller, async (tx, authority) => {
    const person = await findPerson(tx.query, workspaceId, userId)
    if (input.body.role === undefined) return personView(person)
    const role = await findNamedRole(tx, workspaceId, input.body.role)
    if (role === undefined) throw unknownRole()
    checkReach(authority, person)
    checkGrant(authority, role)
    if (person.status === 'active') await updateMember(tx, workspaceId, userId, role)
    else await updateInvitation(tx, workspaceId, userId, role)
    tx.audit({ changes: { role: role.name, role_before: person.role } })
    invalidate(context, tx, { principal_id: userId })
    return personView(await findPerson(tx.query, workspaceId, userId))
  })
}

/** The same, for those who name the user in the body. */
export const updateUserNamed: Operation<typeof authUsers.updateUserNamed, Context> = async (
  context,
  caller,
  { body: { user_id, ...body } },
) => await namedInBody('/user_id', updateUser(context, caller, { params: { user_id }, query: {}, headers: {}, body }))
