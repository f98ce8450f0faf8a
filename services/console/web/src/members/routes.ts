import { lazyRouteComponent } from '@tanstack/react-router'
import { readFlag, readText } from '../api/search-params.ts'
import { workspacePage } from '../routing/root-routes.tsx'

export const memberRoutes = [
  workspacePage(
    'members',
    lazyRouteComponent(() => import('./members-page.tsx'), 'MembersPage'),
    (search) => ({
      ...readText(search, 'cursor', 'role', 'search'),
      ...readFlag(search, 'invite'),
    }),
  ),
  workspacePage(
    'members/roles',
    lazyRouteComponent(() => import('./roles/roles-page.tsx'), 'RolesPage'),
    (search) => readFlag(search, 'create'),
  ),
  workspacePage(
    'members/roles/$roleId',
    lazyRouteComponent(() => import('./roles/role-page.tsx'), 'RolePage'),
  ),
] as const
