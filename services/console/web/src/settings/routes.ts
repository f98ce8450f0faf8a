import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { workspaceRoute } from '../routing/workspace-route.tsx'

export const settingsRoutes = [
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: 'settings',
    component: lazyRouteComponent(() => import('./workspace/workspace-settings-page.tsx'), 'WorkspaceSettingsPage'),
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: 'settings/deletion',
    component: lazyRouteComponent(() => import('./workspace/deletion-page.tsx'), 'DeletionPage'),
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: 'settings/profile',
    component: lazyRouteComponent(() => import('./profile/profile-page.tsx'), 'ProfilePage'),
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: 'settings/sessions',
    component: lazyRouteComponent(() => import('./sessions/sessions-page.tsx'), 'SessionsPage'),
  }),
] as const
