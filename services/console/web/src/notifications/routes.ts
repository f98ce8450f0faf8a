import { lazyRouteComponent } from '@tanstack/react-router'
import { readFlag, readOneOf, readText } from '../api/search-params.ts'
import { workspacePage } from '../routing/root-routes.tsx'

export const notificationRoutes = [
  workspacePage(
    'notifications',
    lazyRouteComponent(() => import('./feed-page.tsx'), 'FeedPage'),
    (search) => ({ ...readText(search, 'cursor'), ...readFlag(search, 'unread') }),
  ),
  workspacePage(
    'notifications/settings',
    lazyRouteComponent(() => import('./settings/settings-page.tsx'), 'SettingsPage'),
    (search) => readOneOf(search, 'level', ['user', 'workspace']),
  ),
] as const
