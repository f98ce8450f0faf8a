import { lazyRouteComponent } from '@tanstack/react-router'
import { workspacePage } from '../routing/root-routes.tsx'

export const settingsRoutes = [
  workspacePage(
    'settings',
    lazyRouteComponent(() => import('./workspace/workspace-settings-page.tsx'), 'WorkspaceSettingsPage'),
  ),
  workspacePage(
    'settings/deletion',
    lazyRouteComponent(() => import('./workspace/deletion-page.tsx'), 'DeletionPage'),
  ),
  workspacePage(
    'settings/profile',
    lazyRouteComponent(() => import('./profile-page.tsx'), 'ProfilePage'),
  ),
  workspacePage(
    'settings/sign-in',
    lazyRouteComponent(() => import('./company/company-sign-in-page.tsx'), 'CompanySignInPage'),
  ),
  workspacePage(
    'settings/sessions',
    lazyRouteComponent(() => import('./sessions/sessions-page.tsx'), 'SessionsPage'),
  ),
] as const
