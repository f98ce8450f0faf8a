import { acceptInvitation, acceptInvitationPage, confirmInvitation } from './accept-invitation.ts'
import { acceptInvitationById } from './accept-invitation-by-id.ts'
import { createRole } from './create-role.ts'
import { declineInvitation } from './decline-invitation.ts'
import { deleteRole, deleteRoleNamed } from './delete-role.ts'
import { getRole } from './get-role.ts'
import { getUser } from './get-user.ts'
import { inviteUser } from './invite-user.ts'
import { listInvitations } from './list-invitations.ts'
import { listRoles } from './list-roles.ts'
import { listUsers } from './list-users.ts'
import { removeUser, removeUserNamed } from './remove-user.ts'
import { updateRole, updateRoleNamed } from './update-role.ts'
import { updateUser, updateUserNamed } from './update-user.ts'

/** Operations on the users, invitations and roles of a workspace. */
export const users = {
  listUsers,
  inviteUser,
  updateUserNamed,
  removeUserNamed,
  getUser,
  updateUser,
  removeUser,
  listRoles,
  createRole,
  updateRoleNamed,
  deleteRoleNamed,
  getRole,
  updateRole,
  deleteRole,
  listInvitations,
  acceptInvitationById,
  declineInvitation,
  acceptInvitationPage,
  acceptInvitation,
  confirmInvitation,
}
