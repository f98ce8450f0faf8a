import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { readOneOf, readText } from '../api/search-params.ts'
import { workspaceRoute } from '../routing/workspace-route.tsx'
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
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: 'data',
    validateSearch: (search) => ({
      ...readText(search, 'name', 'cursor'),
      ...readOneOf(search, 'provider', sourceProviders),
      ...readOneOf(search, 'status', sourceStates),
    }),
    component: lazyRouteComponent(() => import('./sources-page.tsx'), 'SourcesPage'),
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: 'data/new',
    validateSearch: (search) => readOneOf(search, 'provider', sourceProviders),
    component: lazyRouteComponent(() => import('./new-source-page.tsx'), 'NewSourcePage'),
  }),
  sourceRoute.addChildren(tabs),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: 'data/records/$recordId',
    component: lazyRouteComponent(() => import('./record-page.tsx'), 'RecordPage'),
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: 'search',
    validateSearch: readSearchParams,
    component: lazyRouteComponent(() => import('./search/search-page.tsx'), 'SearchPage'),
  }),
] as const
