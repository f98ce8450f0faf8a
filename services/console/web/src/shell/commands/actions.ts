import type { Scope } from '@wp/contracts'
import type { IconName } from '../../ui/button/button.tsx'

/** Something to do that begins on a page of its own. The path is within the workspace. */
export interface Action {
  label: string
  path: string
  scope: Scope
  icon: IconName
  keywords: string
}

export const actions: readonly Action[] = [
  {
    label: 'Add a file',
    path: 'data/new',
    scope: 'data:write',
    icon: 'upload',
    keywords: 'upload data new source csv excel xlsx json badge bookings import',
  },
  {
    label: 'Close a floor',
    path: 'scenarios/new',
    scope: 'solutions:run',
    icon: 'layers',
    keywords: 'scenario what-if save money consolidate new plan',
  },
  {
    label: 'Start a forecast',
    path: 'forecasts/new',
    scope: 'solutions:run',
    icon: 'chart',
    keywords: 'new predict next weeks',
  },
  {
    label: 'Match the columns of a file',
    path: 'datasets/new',
    scope: 'solutions:write',
    icon: 'people',
    keywords: 'badge events bookings counts utilization occupancy dataset',
  },
  {
    label: 'Create an assistant',
    path: 'agents/new',
    scope: 'agents:write',
    icon: 'robot',
    keywords: 'new agent ai chat bot',
  },
  {
    label: 'Create an API key',
    path: 'developer?create=key',
    scope: 'auth:keys',
    icon: 'key',
    keywords: 'new secret token credential',
  },
  {
    label: 'Rotate an API key',
    path: 'developer',
    scope: 'auth:keys',
    icon: 'key',
    keywords: 'renew replace revoke secret token leaked',
  },
  {
    label: 'Create a service principal',
    path: 'developer?create=principal',
    scope: 'auth:admin',
    icon: 'key',
    keywords: 'new client secret machine',
  },
  {
    label: 'Rotate a client secret',
    path: 'developer',
    scope: 'auth:admin',
    icon: 'key',
    keywords: 'renew replace service principal leaked',
  },
  {
    label: 'Add a webhook',
    path: 'webhooks/new',
    scope: 'webhooks:write',
    icon: 'webhooks',
    keywords: 'new endpoint subscription notify',
  },
  {
    label: 'Add an event destination',
    path: 'webhooks/destinations/new',
    scope: 'webhooks:write',
    icon: 'webhooks',
    keywords: 'new siem archive log stream s3 kafka splunk datadog ocsf audit',
  },
  {
    label: 'Rotate the secret of a webhook',
    path: 'webhooks',
    scope: 'webhooks:write',
    icon: 'webhooks',
    keywords: 'renew replace signature signing',
  },
  {
    label: 'Connect an integration',
    path: 'integrations/new',
    scope: 'integrations:write',
    icon: 'plug',
    keywords: 'new provider system connection',
  },
  {
    label: 'Invite a member',
    path: 'members?invite=true',
    scope: 'auth:admin',
    icon: 'people',
    keywords: 'new user colleague add person',
  },
  {
    label: 'Export the audit log',
    path: 'audit/exports',
    scope: 'audit:export',
    icon: 'audit',
    keywords: 'compliance csv download',
  },
]
