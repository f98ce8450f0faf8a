import { lazyRouteComponent } from '@tanstack/react-router'
import { workspacePage } from '../routing/root-routes.tsx'

/** The page of the health of the platform. */
export const healthRoutes = [
  workspacePage(
    'health',
    lazyRouteComponent(() => import('./health-page.tsx'), 'HealthPage'),
  ),
] as const
