import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { readFlag, readText } from '../api/search-params.ts'
import { workspaceRoute } from '../routing/workspace-route.tsx'

type Search = Record<string, unknown>

export const memberRoutes = [
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: 'members',
    validateSearch: (search: Search) => ({
      ...readText(search, 'cursor', 'role', 'email'),
      ...readFlag(search, 'invite'),
    }),
    component: lazyRouteComponent(() => import('./members-page.tsx'), 'MembersPage'),
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: 'members/roles',
    validateSearch: (search: Search) => readFlag(search, 'create'),
    component: lazyRouteComponent(() => import('./roles/roles-page.tsx'), 'RolesPage'),
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: 'members/roles/$roleId',
    component: lazyRouteComponent(() => import('./roles/role-page.tsx'), 'RolePage'),
  }),
] as const
