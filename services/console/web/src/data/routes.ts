import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { readOneOf, readText } from '../api/search-params.ts'
import { workspacePage, workspaceRoute } from '../routing/root-routes.tsx'
import { readSearchParams } from './search/search-params.ts'
import { sourceProviders, sourceStates, syncStates } from './shared/source-words.ts'

const sourceRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: 'data/$sourceId',
  component: lazyRouteComponent(() => import('./source-page.tsx'), 'SourcePage'),
})

/** Routes created within the call of `addChildren` would have no types. */
const tabs = [
  createRoute({
    getParentRoute: () => sourceRoute,
    path: '/',
    validateSearch: (search) => readText(search, 'key', 'cursor'),
    component: lazyRouteComponent(() => import('./source-records-page.tsx'), 'SourceRecordsPage'),
  }),
  createRoute({
    getParentRoute: () => sourceRoute,
    path: 'syncs',
    validateSearch: (search) => ({
      ...readText(search, 'cursor', 'sync'),
      ...readOneOf(search, 'status', syncStates),
    }),
    component: lazyRouteComponent(() => import('./source-syncs-page.tsx'), 'SourceSyncsPage'),
  }),
  createRoute({
    getParentRoute: () => sourceRoute,
    path: 'settings',
    component: lazyRouteComponent(() => import('./source-settings-page.tsx'), 'SourceSettingsPage'),
  }),
] as const

export const dataRoutes = [
  workspacePage(
    'data',
    lazyRouteComponent(() => import('./sources-page.tsx'), 'SourcesPage'),
    (search) => ({
      ...readText(search, 'search', 'cursor'),
      ...readOneOf(search, 'provider', sourceProviders),
      ...readOneOf(search, 'status', sourceStates),
    }),
  ),
  workspacePage(
    'data/new',
    lazyRouteComponent(() => import('./new-source-page.tsx'), 'NewSourcePage'),
    (search) => readOneOf(search, 'provider', sourceProviders),
  ),
  sourceRoute.addChildren(tabs),
  workspacePage(
    'data/records/$recordId',
    lazyRouteComponent(() => import('./record-page.tsx'), 'RecordPage'),
  ),
  workspacePage(
    'search',
    lazyRouteComponent(() => import('./search/search-page.tsx'), 'SearchPage'),
    readSearchParams,
  ),
] as const
