import type { Scope } from '@wp/contracts'
import type { IconName } from '../../ui/button/button.tsx'

/** A page in the navigation and the command palette. */
export interface NavigationItem {
  label: string
  /** Path within the workspace. */
  path: string
  icon: IconName
  /** Without this scope the page has nothing to show, so it is not listed. */
  scope: Scope | undefined
  /** Keys pressed one after the other. */
  shortcut: string | undefined
  /** Other words a person may search for. */
  keywords: string
}

type Row = readonly [
  label: string,
  path: string,
  icon: IconName,
  scope: Scope | undefined,
  shortcut: string | undefined,
  keywords: string,
]

const items = (...rows: readonly Row[]): NavigationItem[] =>
  rows.map(([label, path, icon, scope, shortcut, keywords]) => ({ label, path, icon, scope, shortcut, keywords }))

export const navigation: readonly { label?: string; items: readonly NavigationItem[] }[] = [
  {
    items: items(
      ['Home', '', 'home', undefined, 'g h', 'overview start'],
      [
        'Buildings',
        'buildings',
        'building',
        'solutions:read',
        'g b',
        'spaces sites floors rooms utilization occupancy attendance badge no-shows',
      ],
      ['Teams', 'teams', 'people', 'solutions:read', 'g t', 'departments headcount attendance sharing ratio'],
      ['Forecasts', 'forecasts', 'chart', 'solutions:read', 'g f', 'prediction capacity'],
      ['Scenarios', 'scenarios', 'layers', 'solutions:read', 'g c', 'what-if close floor saving report'],
      ['Daily plans', 'plans', 'calendar', 'solutions:read', 'g p', 'tomorrow meals cleaning heating'],
      ['Recommendations', 'recommendations', 'bolt', 'solutions:read', 'g r', 'advice saving'],
      ['Data', 'data', 'data', 'data:read', 'g d', 'sources uploads syncs records files excel'],
      ['Assistants', 'agents', 'robot', 'agents:read', 'g a', 'agents ai runs playground blueprints'],
    ),
  },
  {
    label: 'Developers',
    items: items(
      [
        'Keys',
        'developer',
        'key',
        'auth:keys',
        'g k',
        'developer api keys service principals credentials secrets tokens rotate',
      ],
      [
        'Webhooks',
        'webhooks',
        'webhooks',
        'webhooks:read',
        'g w',
        'subscriptions deliveries events endpoints destinations siem s3 kafka splunk datadog',
      ],
      ['Variables', 'variables', 'sliders', 'workspace:read', undefined, 'configuration secrets'],
      ['Integrations', 'integrations', 'plug', 'integrations:read', 'g i', 'connections providers models'],
      ['Request log', 'developer/requests', 'clock', 'audit:read', 'g q', 'calls api errors status latency'],
    ),
  },
]

/** The pages of the area Settings, which one item of the navigation opens. */
export const settingsItems: readonly NavigationItem[] = items(
  ['Workspace', 'settings', 'settings', undefined, 'g s', 'settings name time zone delete'],
  ['Members', 'members', 'people', 'auth:read', 'g m', 'users people colleagues invitations access'],
  ['Roles', 'members/roles', 'lock', 'auth:read', undefined, 'permissions scopes rights'],
  [
    'Company sign-in',
    'settings/sign-in',
    'lock',
    'auth:read',
    undefined,
    'sso openid scim directory entra okta domains',
  ],
  ['Sign-in and sessions', 'settings/sessions', 'logout', undefined, undefined, 'devices browsers log out security'],
  [
    'Notifications',
    'notifications/settings',
    'bell',
    'notifications:read',
    undefined,
    'mail slack digest channels alerts',
  ],
  ['Billing and usage', 'usage', 'card', 'billing:read', 'g u', 'billing plan quotas invoices limits'],
  ['Audit log', 'audit', 'audit', 'audit:read', 'g l', 'history compliance export verify'],
  ['Health', 'health', 'health', undefined, undefined, 'status services incidents'],
  ['Profile', 'settings/profile', 'people', undefined, undefined, 'account name language theme'],
)

/** Every page that the navigation leads to. */
export const navigationItems: readonly NavigationItem[] = [
  ...navigation.flatMap(({ items }) => items),
  ...items(['Notifications', 'notifications', 'bell', 'notifications:read', 'g n', '']),
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
