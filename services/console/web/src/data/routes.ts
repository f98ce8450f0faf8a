import { integrationProviders, integrationStates } from '../integrations/queries.ts'
import { pagesBelow, workspacePage } from '../routing/root-routes.tsx'
import { readFilters, searchModes } from './search/search-params.ts'
import { sourceProviders, sourceStates, syncStates } from './shared/source-words.ts'

const sourceRoute = workspacePage('data/$sourceId', () => import('./source-page.tsx'), 'SourcePage')
const sourceTab = pagesBelow(sourceRoute)

/** Routes created within the call of `addChildren` would have no types. */
const tabs = [
  sourceTab('/', () => import('./source-records-page.tsx'), 'SourceRecordsPage', { key: 'text', cursor: 'text' }),
  sourceTab('syncs', () => import('./source-syncs-page.tsx'), 'SourceSyncsPage', {
    cursor: 'text',
    sync: 'text',
    status: syncStates,
  }),
  sourceTab('settings', () => import('./source-settings-page.tsx'), 'SourceSettingsPage'),
] as const

/** The pages of data sources, of the search in them, and of the integrations that fill them. */
export const dataRoutes = [
  workspacePage('data', () => import('./sources-page.tsx'), 'SourcesPage', {
    search: 'text',
    cursor: 'text',
    provider: sourceProviders,
    status: sourceStates,
  }),
  workspacePage('data/new', () => import('./new-source-page.tsx'), 'NewSourcePage', { provider: sourceProviders }),
  sourceRoute.addChildren(tabs),
  workspacePage('data/records/$recordId', () => import('./record-page.tsx'), 'RecordPage'),
  workspacePage('search', () => import('./search/search-page.tsx'), 'SearchPage', {
    q: 'text',
    source: 'text',
    cursor: 'text',
    mode: searchModes,
    filters: readFilters,
  }),
  workspacePage('integrations', () => import('../integrations/integrations-page.tsx'), 'IntegrationsPage', {
    cursor: 'text',
    search: 'text',
    provider: integrationProviders,
    status: integrationStates,
  }),
  workspacePage('integrations/new', () => import('../integrations/new-integration-page.tsx'), 'NewIntegrationPage', {
    provider: integrationProviders,
  }),
  workspacePage('integrations/$integrationId', () => import('../integrations/integration-page.tsx'), 'IntegrationPage'),
] as const
