import type { Scope } from '@wp/contracts'
import type { IconName } from '../../ui/button/button.tsx'

/** A page in the navigation and the command palette. */
export interface NavigationItem {
  label: string
  /** Path within the workspace. */
  path: string
  icon: IconName
  /** Keys pressed one after the other. */
  shortcut?: string
  /** Without this scope the page has nothing to show, so it is not listed. */
  scope?: Scope
  /** Other words a person may search for. */
  keywords?: string
}

export interface NavigationGroup {
  label?: string
  items: readonly NavigationItem[]
}

export const navigation: readonly NavigationGroup[] = [
  {
    items: [
      { label: 'Home', path: '', icon: 'home', shortcut: 'g h', keywords: 'overview start' },
      {
        label: 'Buildings',
        path: 'buildings',
        icon: 'building',
        shortcut: 'g b',
        scope: 'solutions:read',
        keywords: 'spaces sites floors rooms utilization occupancy attendance badge no-shows',
      },
      {
        label: 'Teams',
        path: 'teams',
        icon: 'people',
        shortcut: 'g t',
        scope: 'solutions:read',
        keywords: 'departments headcount attendance sharing ratio',
      },
      {
        label: 'Forecasts',
        path: 'forecasts',
        icon: 'chart',
        shortcut: 'g f',
        scope: 'solutions:read',
        keywords: 'prediction capacity',
      },
      {
        label: 'Scenarios',
        path: 'scenarios',
        icon: 'layers',
        shortcut: 'g c',
        scope: 'solutions:read',
        keywords: 'what-if close floor saving report',
      },
      {
        label: 'Daily plans',
        path: 'plans',
        icon: 'calendar',
        shortcut: 'g p',
        scope: 'solutions:read',
        keywords: 'tomorrow meals cleaning heating',
      },
      {
        label: 'Recommendations',
        path: 'recommendations',
        icon: 'bolt',
        shortcut: 'g r',
        scope: 'solutions:read',
        keywords: 'advice saving',
      },
      {
        label: 'Data',
        path: 'data',
        icon: 'data',
        shortcut: 'g d',
        scope: 'data:read',
        keywords: 'sources uploads syncs records files excel',
      },
      {
        label: 'Assistants',
        path: 'agents',
        icon: 'robot',
        shortcut: 'g a',
        scope: 'agents:read',
        keywords: 'agents ai runs playground blueprints',
      },
    ],
  },
  {
    label: 'Developers',
    items: [
      {
        label: 'Keys',
        path: 'developer',
        icon: 'key',
        shortcut: 'g k',
        scope: 'auth:keys',
        keywords: 'developer api keys service principals credentials secrets tokens rotate',
      },
      {
        label: 'Webhooks',
        path: 'webhooks',
        icon: 'webhooks',
        shortcut: 'g w',
        scope: 'webhooks:read',
        keywords: 'subscriptions deliveries events endpoints',
      },
      {
        label: 'Variables',
        path: 'variables',
        icon: 'sliders',
        scope: 'workspace:read',
        keywords: 'configuration secrets',
      },
      {
        label: 'Integrations',
        path: 'integrations',
        icon: 'plug',
        shortcut: 'g i',
        scope: 'integrations:read',
        keywords: 'connections providers models',
      },
    ],
  },
  {
    label: 'Settings',
    items: [
      {
        label: 'Members',
        path: 'members',
        icon: 'people',
        shortcut: 'g m',
        scope: 'auth:read',
        keywords: 'users roles invitations',
      },
      {
        label: 'Audit log',
        path: 'audit',
        icon: 'audit',
        shortcut: 'g l',
        scope: 'audit:read',
        keywords: 'history compliance export verify',
      },
      {
        label: 'Usage',
        path: 'usage',
        icon: 'card',
        shortcut: 'g u',
        scope: 'billing:read',
        keywords: 'billing plan quotas invoices',
      },
      { label: 'Health', path: 'health', icon: 'health', keywords: 'status services' },
      {
        label: 'Settings',
        path: 'settings',
        icon: 'settings',
        keywords: 'workspace profile sessions theme notifications',
      },
    ],
  },
]

/** Every item of the navigation. */
export const navigationItems: readonly NavigationItem[] = navigation.flatMap(({ items }) => items)
