import { authInternal, type Operation, type system } from '@wp/contracts'
import type { Context } from '../context.ts'

/** The user who asks becomes its owner. */
export const createWorkspace: Operation<typeof system.createWorkspace, Context> = ({ internal }, caller, { body }) =>
  internal.forward(authInternal.createWorkspace, caller, { params: {}, query: {}, body })
