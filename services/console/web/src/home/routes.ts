import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { workspaceRoute } from '../routing/root-routes.tsx'
import { awaitFirstState } from './workspace-state.ts'

export const homeRoutes = [
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: '/',
    loader: ({ context, params }) => awaitFirstState(context.queryClient, params.workspaceId),
    component: lazyRouteComponent(() => import('./home-page.tsx'), 'HomePage'),
  }),
] as const
