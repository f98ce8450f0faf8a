import { paginate } from '@wp/client/browser'
import type { Role, WorkspaceUser } from '@wp/contracts'
import type { z } from 'zod'
import { readAll } from '../api/read-all.ts'
import { useApiQuery } from '../session/workspace-context.tsx'

export type Member = z.infer<typeof WorkspaceUser>
export type RoleView = z.infer<typeof Role>

const pageSize = 100
/** Limit of the members that are counted by role. */
const maxCountedMembers = 1000

/** Loads all roles; a workspace has few. */
export function useRoles() {
  return useApiQuery(['roles'], (api, options) => readAll((query) => api.auth.listRoles({ query }, options)))
}

/** Members and invited users by name of the role. `isComplete` is false if there are more than were counted. */
export interface RoleUsage {
  counts: ReadonlyMap<string, number>
  isComplete: boolean
}

/** Counts members and invited users by role. */
export function useRoleUsage() {
  return useApiQuery(['members', 'role-usage'], async (api, options): Promise<RoleUsage> => {
    const counts = new Map<string, number>()
    let counted = 0
    const users = paginate((cursor) => api.auth.listUsers({ query: { limit: pageSize, cursor } }, options))
    for await (const { role } of users) {
      if (counted === maxCountedMembers) return { counts, isComplete: false }
      counted += 1
      counts.set(role, (counts.get(role) ?? 0) + 1)
    }
    return { counts, isComplete: true }
  })
}

/** Returns the number of members of a role as text; with a plus if not all members were counted. */
export function describeRoleUsage(usage: RoleUsage | undefined, roleName: string): string {
  if (usage === undefined) return '–'
  return `${usage.counts.get(roleName) ?? 0}${usage.isComplete ? '' : '+'}`
}
