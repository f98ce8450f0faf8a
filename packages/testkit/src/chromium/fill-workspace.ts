import { loadOffice } from '../company/office/load-office.ts'
import { eventually } from '../eventually.ts'
import { respond } from '../receiver/responders.ts'
import type { BrowserFleet } from './browser-fleet.ts'
import { subscribeInThePast } from './past-subscription.ts'

/** Resources of a workspace, one of each kind that has a page of its own. */
export interface FilledWorkspace {
  sourceId: string
  recordId: string
  runId: string
  webhookId: string
  destinationId: string
  requestId: string
  agentId: string
  agentRunId: string
  evaluationSetId: string
  evaluationId: string
  blueprintId: string
  integrationId: string
  clientId: string
  keyId: string
  roleId: string
  logId: string
  docId: string
  invoiceId: string
  spaceId: string
  teamId: string
  datasetId: string
  scenarioId: string
  planId: string
}

export interface FillOptions {
  /** Text that names and values of users contain. Default: none. */
  text?: (index: number) => string
}

const day = 86_400_000
const days = 84
const buildings = ['Headquarters', 'Harbour House', 'Old Brewery']

/** Daily arrivals with quiet Fridays and closed weekends, ending before the given day. */
function arrivals(building: string, size: number, end: number) {
  return Array.from({ length: days }, (_, index) => {
    const at = new Date(end - (days - index) * day)
    const factor = [0, 0.86, 0.97, 1, 0.94, 0.3, 0][at.getUTCDay()] ?? 0
    const value = Math.round(size * factor * (1 + 0.002 * index) + ((index * 7) % 5))
    return { date: at.toISOString().slice(0, 10), building, arrivals: value, title: `Day ${index + 1}, ${building}` }
  })
}

/** Creates resources of every kind through the API, and waits until jobs have finished and webhooks are delivered. */
export async function fillWorkspace(
  fleet: BrowserFleet,
  { text = () => '' }: FillOptions = {},
): Promise<FilledWorkspace> {
  const { api, receiver } = fleet
  const invoiceId = await subscribeInThePast(fleet)
  receiver.setResponder(respond(200, { body: `{"ok":true} ${text(0)}` }))
  const webhook = await api('POST', '/v1/webhooks/webhooks', {
    endpoint: receiver.url('/hooks'),
    events: ['*'],
    generate_secret: true,
    description: `Facility team ${text(1)}`.trim(),
  })
  const destination = await api('POST', '/v1/webhooks/destinations', {
    name: `Security archive ${text(24)}`.trim(),
    content: 'audit',
    format: 'ocsf',
    config: { type: 'http', url: receiver.url('/audit-log') },
  })
  const source = await api('POST', '/v1/data/sources', {
    name: `Office arrivals ${text(2)}`.trim(),
    provider: 'upload',
    config: { title_field: 'title' },
  })
  const sourceId = source.data_source_id
  const end = Math.floor(Date.now() / day) * day
  for (const [index, building] of buildings.entries())
    await fleet.upload(sourceId, arrivals(`${building} ${text(3 + index)}`.trim(), 120 - 30 * index, end))
  const [record] = await api('GET', `/v1/data/sources/${sourceId}/records?limit=1`)
  const run = await api('POST', '/v1/solutions/workplace/forecast/runs', {
    data_source_id: sourceId,
    timestamp_field: 'date',
    value_field: 'arrivals',
    group_by: ['building'],
    frequency: 'day',
    timezone: 'Europe/Berlin',
    horizon: 14,
    capacity: 130,
  })
  const [others, office] = await Promise.all([
    createOtherResources(fleet, text, sourceId),
    fillOffice(fleet, text, end),
  ])
  const ended = async (path: string, states: readonly string[]) =>
    eventually(async () => states.includes((await api('GET', path)).status), { description: `${path} to end` })
  await ended(`/v1/solutions/workplace/forecast/runs/${run.id}`, ['finished', 'failed'])
  await ended(`/v1/audit/docs/${others.docId}`, ['finished', 'failed'])
  const deliveries = `/v1/webhooks/webhooks/${webhook.webhook_id}/deliveries?status=delivered&limit=1`
  const delivery = await eventually(async () => (await api('GET', deliveries))[0], {
    description: 'a delivered webhook',
  })
  const log = await eventually(async () => (await api('GET', '/v1/audit/logs?limit=1'))[0], {
    description: 'an audit record',
  })
  return {
    sourceId,
    recordId: record.record_id,
    runId: run.id,
    webhookId: webhook.webhook_id,
    destinationId: destination.destination_id,
    requestId: delivery.request_id,
    logId: log.id,
    invoiceId,
    ...others,
    ...office,
  }
}

const workplace = '/v1/solutions/workplace'

/** Loads an office whose last twelve weeks end before this one, plans which of its floors it needs, and its day. */
async function fillOffice({ api }: BrowserFleet, text: (index: number) => string, today: number) {
  const monday = today - ((new Date(today).getUTCDay() + 6) % 7) * day
  const client = {
    create: (path: string, body: unknown) => api('POST', path, body),
    read: (path: string) => api('GET', path),
  }
  const office = await loadOffice(client, {
    label: text(21),
    firstDay: monday - days * day,
  })
  const forecastRunId = await office.forecast()
  const scenario = await api('POST', `${workplace}/scenarios`, {
    name: `Fridays on fewer floors ${text(23)}`.trim(),
    forecast_run_id: forecastRunId,
    space_id: office.siteId,
  })
  const schedule = await api('POST', `${workplace}/plan-schedules`, { name: 'Every morning', space_id: office.siteId })
  const plan = await api('POST', `${workplace}/plan-schedules/${schedule.id}/run`)
  const [dataset] = await api('GET', `${workplace}/datasets?limit=1`)
  const path = `${workplace}/scenarios/${scenario.id}`
  await eventually(async () => ['finished', 'failed'].includes((await api('GET', path)).status), {
    description: 'the scenario to end',
  })
  const [teamId = ''] = office.teamIds
  return { spaceId: office.siteId, teamId, datasetId: dataset.id, scenarioId: scenario.id, planId: plan.id }
}

async function createOtherResources({ api }: BrowserFleet, text: (index: number) => string, sourceId: string) {
  const integration = await api('POST', '/v1/integrations/integrations', {
    provider: 'http',
    name: `Building system ${text(10)}`.trim(),
    config: { base_url: 'https://127.0.0.1:1024/' },
    secrets: { token: 'secret-token' },
  })
  const principal = await api('POST', '/v1/auth/admin/service-principals', {
    name: `Reporting ${text(11)}`.trim(),
    scopes: ['data:read'],
  })
  const key = await api('POST', '/v1/auth/api-key', { name: `Import ${text(12)}`.trim(), scopes: ['data:read'] })
  const role = await api('POST', '/v1/auth/admin/roles', {
    name: `Analyst ${text(13)}`.trim().slice(0, 60),
    scopes: ['data:read'],
  })
  await api('POST', '/v1/auth/admin/users', { email: 'colleague@example.com', role: 'member' })
  await api('POST', '/v1/system/workspace/variables', { name: 'REGION', value: `eu ${text(14)}`.trim() })
  await api('POST', '/v1/system/workspace/variables', { name: 'TOKEN', value: 'hidden', secret: true })
  const blueprint = await api('POST', '/v1/agents/blueprint', {
    name: `Analyst ${text(15)}`.trim(),
    description: `Answers questions ${text(16)}`.trim(),
    instructions: `Answer from the records. ${text(17)}`.trim(),
  })
  const agent = await api('POST', '/v1/agents/agents', {
    name: `Facility assistant ${text(18)}`.trim(),
    instructions: `Answer from the records. ${text(19)}`.trim(),
    tools: ['search_data', 'list_sources'],
    data_source_ids: [sourceId],
  })
  const agentRun = await api('POST', `/v1/ai/agents/${agent.agent_id}/run`, {
    input: `What are the arrivals of Harbour House, day 3? ${text(20)}`.trim(),
  })
  const evaluationSet = await api('POST', '/v1/agents/evaluation-sets', { name: `Questions ${text(15)}`.trim() })
  await api('POST', `/v1/agents/evaluation-sets/${evaluationSet.id}/cases`, {
    input: `What are the arrivals of Harbour House, day 3? ${text(20)}`.trim(),
    expected: { contains: ['Harbour'] },
  })
  const evaluation = await api('POST', '/v1/agents/evaluations', {
    agent_id: agent.agent_id,
    evaluation_set_id: evaluationSet.id,
  })
  const doc = await api('POST', '/v1/audit/docs', {
    format: 'csv',
    from: new Date(Date.now() - day).toISOString(),
    to: new Date(Date.now()).toISOString(),
  })
  return {
    integrationId: integration.integration_id,
    clientId: principal.client_id,
    keyId: key.key_id,
    roleId: role.role_id,
    blueprintId: blueprint.id,
    agentId: agent.agent_id,
    agentRunId: agentRun.id,
    evaluationSetId: evaluationSet.id,
    evaluationId: evaluation.id,
    docId: doc.id,
  }
}
