import type { authUsers, Operation } from '@wp/contracts'
import type { Context } from '../context.ts'
import { personView } from '../roles/views.ts'
import { findPerson } from '../store/people.ts'

/** A member, or somebody who is invited. */
export const getUser: Operation<typeof authUsers.getUser, Context> = async ({ database }, caller, { params }) =>
  personView(await database.read(caller, (_db, query) => findPerson(query, caller.workspaceId, params.user_id)))
