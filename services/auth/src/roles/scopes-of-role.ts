import { builtInRoles } from '@wp/contracts'
import type { RoleGrant } from '../store/workspaces/roles.ts'

/** Returns the scopes of a built-in or custom role; none for a built-in name that the contracts no longer define. */
export const scopesOfRole = ({
  built_in_role: builtIn,
  scopes,
}: Pick<RoleGrant, 'built_in_role' | 'scopes'>): readonly string[] =>
  builtIn === null ? (scopes ?? []) : (Object.entries(builtInRoles).find(([name]) => name === builtIn)?.[1] ?? [])
