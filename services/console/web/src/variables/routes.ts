import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { readFlag, readOneOf, readText } from '../api/search-params.ts'
import { workspaceRoute } from '../routing/workspace-route.tsx'

type Search = Record<string, unknown>

export const variableRoutes = [
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: 'variables',
    validateSearch: (search: Search) => ({
      ...readText(search, 'cursor'),
      ...readOneOf(search, 'kind', ['plain', 'secret']),
      ...readFlag(search, 'create'),
    }),
    component: lazyRouteComponent(() => import('./variables-page.tsx'), 'VariablesPage'),
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: 'variables/$name',
    validateSearch: (search: Search) => readText(search, 'cursor'),
    component: lazyRouteComponent(() => import('./variable-page.tsx'), 'VariablePage'),
  }),
] as const
