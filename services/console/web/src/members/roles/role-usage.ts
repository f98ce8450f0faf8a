import type { RoleUsage } from '../queries.ts'

/** Returns the number of members of a role as text; with a plus if not all members were counted. */
export function describeRoleUsage(usage: RoleUsage | undefined, roleName: string): string {
  if (usage === undefined) return '–'
  return `${usage.counts.get(roleName) ?? 0}${usage.isComplete ? '' : '+'}`
}
