import { authInternal, type Operation, type system } from '@wp/contracts'
import type { Context } from '../context.ts'

/** Workspaces are auth's to keep: what a caller may act in is part of who they are. */
export const listWorkspaces: Operation<typeof system.listWorkspaces, Context> = ({ internal }, caller, { query }) =>
  internal.call(authInternal.listWorkspaces, caller, { params: {}, query, body: undefined })
