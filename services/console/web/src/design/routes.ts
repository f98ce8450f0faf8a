import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../routing/root-routes.tsx'

/** Every component of the design system on one page, for those who build pages. It needs no session. */
export const designRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: 'design',
    component: lazyRouteComponent(() => import('./design-page.tsx'), 'DesignPage'),
  }),
] as const
