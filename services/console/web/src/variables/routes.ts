import { lazyRouteComponent } from '@tanstack/react-router'
import { readFlag, readOneOf, readText } from '../api/search-params.ts'
import { workspacePage } from '../routing/root-routes.tsx'

export const variableRoutes = [
  workspacePage(
    'variables',
    lazyRouteComponent(() => import('./variables-page.tsx'), 'VariablesPage'),
    (search) => ({
      ...readText(search, 'cursor', 'search'),
      ...readOneOf(search, 'kind', ['plain', 'secret']),
      ...readFlag(search, 'create'),
    }),
  ),
  workspacePage(
    'variables/$name',
    lazyRouteComponent(() => import('./variable-page.tsx'), 'VariablePage'),
    (search) => readText(search, 'cursor'),
  ),
] as const
