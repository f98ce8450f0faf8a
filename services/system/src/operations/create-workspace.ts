import { authInternal, type Operation, type system } from '@wp/contracts'
import type { Context } from '../context.ts'

/**
 * The user who asks becomes its owner. Asked for in no workspace: the one that is inferred for a user with a single
 * workspace would be another thing once they have two, and the idempotency key would no longer be found.
 */
export const createWorkspace: Operation<typeof system.createWorkspace, Context> = ({ internal }, caller, { body }) =>
  internal.forward(authInternal.createWorkspace, { ...caller, workspaceId: null }, { params: {}, query: {}, body })
