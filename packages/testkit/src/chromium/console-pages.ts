import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FilledWorkspace } from './fill-workspace.ts'

const webFolder = join(import.meta.dirname, '../../../../services/console/web/src')

/** A page of a workspace. */
export interface ConsolePage {
  /** A short name, also that of its screenshot. */
  name: string
  /** The path within the workspace. */
  path: string
}

/** Returns every page of a workspace, with the ids of its resources in the paths. */
export function consolePages(ids: FilledWorkspace): ConsolePage[] {
  const paths = [
    '',
    'buildings',
    `buildings/${ids.spaceId}`,
    'teams',
    `teams/${ids.teamId}`,
    'scenarios',
    'scenarios/new',
    `scenarios/${ids.scenarioId}`,
    'plans',
    `plans/${ids.planId}`,
    'datasets/new',
    `datasets/${ids.datasetId}`,
    'developer',
    'developer/mcp',
    `developer/service-principals/${ids.clientId}`,
    `developer/keys/${ids.keyId}`,
    'developer/requests',
    'webhooks',
    'webhooks/new',
    'webhooks/events',
    'webhooks/deliveries',
    `webhooks/deliveries/${ids.requestId}`,
    'webhooks/destinations',
    'webhooks/destinations/new',
    `webhooks/destinations/${ids.destinationId}`,
    `webhooks/destinations/${ids.destinationId}/edit`,
    `webhooks/${ids.webhookId}`,
    `webhooks/${ids.webhookId}/edit`,
    'data',
    'data/new',
    `data/${ids.sourceId}`,
    `data/${ids.sourceId}/syncs`,
    `data/${ids.sourceId}/settings`,
    `data/records/${ids.recordId}`,
    'search?q=harbour',
    'forecasts',
    'forecasts/new',
    `forecasts/${ids.runId}`,
    'recommendations',
    'agents',
    'agents/new',
    `agents/${ids.agentId}`,
    `agents/${ids.agentId}/configuration`,
    `agents/${ids.agentId}/automation`,
    `agents/${ids.agentId}/versions`,
    `agents/${ids.agentId}/evaluations`,
    `agents/${ids.agentId}/runs`,
    'agents/evaluation-sets',
    `agents/evaluation-sets/${ids.evaluationSetId}`,
    `agents/evaluations/${ids.evaluationId}`,
    'agents/blueprints',
    `agents/blueprints/${ids.blueprintId}`,
    'agents/budget',
    'agents/runs',
    `agents/runs/${ids.agentRunId}`,
    'agents/conversations',
    'integrations',
    'integrations/new',
    `integrations/${ids.integrationId}`,
    'members',
    'members/roles',
    `members/roles/${ids.roleId}`,
    'variables',
    'variables/REGION',
    'settings',
    'settings/deletion',
    'settings/profile',
    'settings/sessions',
    'settings/sign-in',
    'audit',
    'audit/verify',
    'audit/exports',
    `audit/exports/${ids.docId}`,
    `audit/${ids.logId}`,
    'usage',
    'usage/plan',
    'usage/invoices',
    `usage/invoices/${ids.invoiceId}`,
    'notifications',
    'notifications/settings',
    'health',
  ]
  return paths.map((path) => ({ name: nameOf(path, ids), path }))
}

/** Names a page after its path, with the kind of resource in place of its id. */
function nameOf(path: string, ids: FilledWorkspace): string {
  const names = new Map<unknown, string>(Object.entries(ids).map(([kind, id]) => [id, kind.replace(/Id$/, '')]))
  const segments = path
    .replace(/\?.*/, '')
    .split('/')
    .map((segment) => names.get(segment) ?? segment)
  return segments.join('-') || 'home'
}

/**
 * The two frames of tabs, which are no pages of their own, and the pages of the design system and of a person without
 * workspaces, which belong to no workspace.
 */
const otherRoutes = 4

/**
 * Returns the number of pages of a workspace that the areas of the app declare, to compare with those that are checked.
 */
export function countDeclaredPages(): number {
  const files = globSync(['router.tsx', '*/routes.ts'], { cwd: webFolder })
  const text = files.map((file) => readFileSync(join(webFolder, file), 'utf8')).join('\n')
  return (text.match(/\(\) => import\(/g)?.length ?? 0) - otherRoutes
}
