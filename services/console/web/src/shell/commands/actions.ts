import type { Scope } from '@wp/contracts'
import type { IconName } from '../../ui/button/button.tsx'

/** Something to do that begins on a page of its own. The path is within the workspace. */
type Action = readonly [label: string, path: string, icon: IconName, scope: Scope, keywords: string]

const rows: readonly Action[] = [
  [
    'Add a file',
    'data/new',
    'upload',
    'data:write',
    'upload data new source csv excel xlsx json badge bookings import',
  ],
  ['Close a floor', 'scenarios/new', 'layers', 'solutions:run', 'scenario what-if save money consolidate new plan'],
  ['Start a forecast', 'forecasts/new', 'chart', 'solutions:run', 'new predict next weeks'],
  [
    'Match the columns of a file',
    'datasets/new',
    'people',
    'solutions:write',
    'badge events bookings counts utilization occupancy dataset',
  ],
  ['Create an assistant', 'agents/new', 'robot', 'agents:write', 'new agent ai chat bot'],
  ['Create an API key', 'developer?create=key', 'key', 'auth:keys', 'new secret token credential'],
  ['Rotate an API key', 'developer', 'key', 'auth:keys', 'renew replace revoke secret token leaked'],
  [
    'Connect an AI client by MCP',
    'developer/mcp',
    'plug',
    'mcp:use',
    'claude cursor model context protocol tools address',
  ],
  ['Create a service principal', 'developer?create=principal', 'key', 'auth:admin', 'new client secret machine'],
  ['Rotate a client secret', 'developer', 'key', 'auth:admin', 'renew replace service principal leaked'],
  ['Add a webhook', 'webhooks/new', 'webhooks', 'webhooks:write', 'new endpoint subscription notify'],
  [
    'Add an event destination',
    'webhooks/destinations/new',
    'webhooks',
    'webhooks:write',
    'new siem archive log stream s3 kafka splunk datadog ocsf audit',
  ],
  ['Rotate the secret of a webhook', 'webhooks', 'webhooks', 'webhooks:write', 'renew replace signature signing'],
  ['Connect an integration', 'integrations/new', 'plug', 'integrations:write', 'new provider system connection'],
  ['Invite a member', 'members?invite=true', 'people', 'auth:admin', 'new user colleague add person'],
  ['Export the audit log', 'audit/exports', 'audit', 'audit:export', 'compliance csv download'],
]

export const actions = rows.map(([label, path, icon, scope, keywords]) => ({ label, path, icon, scope, keywords }))
