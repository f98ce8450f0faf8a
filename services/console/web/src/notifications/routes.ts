import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { readFlag, readOneOf, readText } from '../api/search-params.ts'
import { workspaceRoute } from '../routing/workspace-route.tsx'

type Search = Record<string, unknown>

export const notificationRoutes = [
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: 'notifications',
    validateSearch: (search: Search) => ({ ...readText(search, 'cursor'), ...readFlag(search, 'unread') }),
    component: lazyRouteComponent(() => import('./feed-page.tsx'), 'FeedPage'),
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: 'notifications/settings',
    validateSearch: (search: Search) => readOneOf(search, 'level', ['user', 'workspace']),
    component: lazyRouteComponent(() => import('./settings/settings-page.tsx'), 'SettingsPage'),
  }),
] as const
