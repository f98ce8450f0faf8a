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
        keywords: 'subscriptions deliveries events endpoints destinations siem s3 kafka splunk datadog',
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
      {
        label: 'Request log',
        path: 'developer/requests',
        icon: 'clock',
        shortcut: 'g q',
        scope: 'audit:read',
        keywords: 'calls api errors status latency',
      },
    ],
  },
]

/** The pages of the area Settings, which one item of the navigation opens. */
export const settingsItems: readonly NavigationItem[] = [
  {
    label: 'Workspace',
    path: 'settings',
    icon: 'settings',
    shortcut: 'g s',
    keywords: 'settings name time zone delete',
  },
  {
    label: 'Members',
    path: 'members',
    icon: 'people',
    shortcut: 'g m',
    scope: 'auth:read',
    keywords: 'users people colleagues invitations access',
  },
  { label: 'Roles', path: 'members/roles', icon: 'lock', scope: 'auth:read', keywords: 'permissions scopes rights' },
  {
    label: 'Company sign-in',
    path: 'settings/sign-in',
    icon: 'lock',
    scope: 'auth:read',
    keywords: 'sso openid scim directory entra okta domains',
  },
  {
    label: 'Sign-in and sessions',
    path: 'settings/sessions',
    icon: 'logout',
    keywords: 'devices browsers log out security',
  },
  {
    label: 'Notifications',
    path: 'notifications/settings',
    icon: 'bell',
    scope: 'notifications:read',
    keywords: 'mail slack digest channels alerts',
  },
  {
    label: 'Billing and usage',
    path: 'usage',
    icon: 'card',
    shortcut: 'g u',
    scope: 'billing:read',
    keywords: 'billing plan quotas invoices limits',
  },
  {
    label: 'Audit log',
    path: 'audit',
    icon: 'audit',
    shortcut: 'g l',
    scope: 'audit:read',
    keywords: 'history compliance export verify',
  },
  { label: 'Health', path: 'health', icon: 'health', keywords: 'status services incidents' },
  { label: 'Profile', path: 'settings/profile', icon: 'people', keywords: 'account name language theme' },
]

/** Every page that the navigation leads to. */
export const navigationItems: readonly NavigationItem[] = [
  ...navigation.flatMap(({ items }) => items),
  { label: 'Notifications', path: 'notifications', icon: 'bell', shortcut: 'g n', scope: 'notifications:read' },
  ...settingsItems,
]

/** Returns the item that a page belongs to: that with the longest path above it. @param path within the workspace */
export const itemOfPath = (
  path: string,
  items: readonly NavigationItem[] = navigationItems,
): NavigationItem | undefined =>
  items
    .filter((item) => item.path === path || (item.path !== '' && path.startsWith(`${item.path}/`)))
    .toSorted((left, right) => right.path.length - left.path.length)[0]

/** Returns true if a page belongs to the area Settings. @param path within the workspace */
export const isInSettings = (path: string): boolean => settingsItems.some((item) => item === itemOfPath(path))
