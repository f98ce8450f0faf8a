import { authInternal, type Operation, type system } from '@wp/contracts'
import type { Context } from '../context.ts'

/** The workspace the request runs in. */
export const getWorkspace: Operation<typeof system.getWorkspace, Context> = ({ internal }, caller) =>
  internal.call(authInternal.getWorkspace, caller, { params: {}, query: {}, body: undefined })
