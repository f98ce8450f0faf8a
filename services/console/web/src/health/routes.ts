import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { workspaceRoute } from '../routing/workspace-route.tsx'

/** The page of the health of the platform. */
export const healthRoutes = [
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: 'health',
    component: lazyRouteComponent(() => import('./health-page.tsx'), 'HealthPage'),
  }),
] as const
