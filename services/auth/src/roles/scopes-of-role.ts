import { builtInRoles } from '@wp/contracts'
import type { RoleGrant } from '../store/workspaces/roles.ts'

/** Returns the scopes of a built-in or custom role; none for a built-in name that the contracts no longer define. */
export const scopesOfRole = ({
  builtInRole: builtIn,
  scopes,
}: Pick<RoleGrant, 'builtInRole' | 'scopes'>): readonly string[] =>
  builtIn === null ? (scopes ?? []) : (Object.entries(builtInRoles).find(([name]) => name === builtIn)?.[1] ?? [])
