import { authInternal, type Operation, type system } from '@wp/contracts'
import type { Context } from '../context.ts'

/** Merges; null clears the metadata. */
export const updateWorkspace: Operation<typeof system.updateWorkspace, Context> = ({ internal }, caller, { body }) =>
  internal.forward(authInternal.updateWorkspace, caller, { params: {}, query: {}, body })
