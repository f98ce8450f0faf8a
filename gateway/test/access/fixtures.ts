import type { EdgeRequestOptions } from '@wp/testkit'
import { forecastBody, newAddress, replayBody, type World } from './world.ts'

/** How an endpoint is called so that its owner succeeds. */
export interface Fixture {
  params?: (world: World) => Promise<Record<string, string>>
  /** Whose credential succeeds, where that ends it. */
  as?: (world: World) => Promise<string>
  /** What is sent. */
  request?: EdgeRequestOptions
  /** The same, where it is another thing each time. */
  make?: (world: World) => Made | Promise<Made>
  /** Another body that would succeed, where no field can simply be written otherwise. */
  other?: unknown
  /** Bodies that name a resource which, belonging to the owner, a stranger may not name; with the field at fault. */
  foreign?: (world: World) => Promise<{ body: unknown; pointer: string }>
}

/** A request, and the query it has. */
export type Made = EdgeRequestOptions & { query?: string }

const empty: Fixture = {}
const source = (request?: EdgeRequestOptions): Fixture => ({
  params: async (world) => ({ data_source_id: await world.source() }),
  ...(request === undefined ? {} : { request }),
})
const webhook = (request?: EdgeRequestOptions): Fixture => ({
  params: async (world) => ({ webhook_id: await world.webhook() }),
  ...(request === undefined ? {} : { request }),
})
const key = (request?: EdgeRequestOptions): Fixture => ({
  params: async (world) => ({ key_id: await world.key() }),
  ...(request === undefined ? {} : { request }),
})
const principal = (request?: EdgeRequestOptions): Fixture => ({
  params: async (world) => ({ client_id: await world.principal() }),
  ...(request === undefined ? {} : { request }),
})
const user = (request?: EdgeRequestOptions): Fixture => ({
  params: async (world) => ({ user_id: await world.user() }),
  ...(request === undefined ? {} : { request }),
})
const role = (request?: EdgeRequestOptions): Fixture => ({
  params: async (world) => ({ role_id: await world.role() }),
  ...(request === undefined ? {} : { request }),
})
const integration = (request?: EdgeRequestOptions): Fixture => ({
  params: async (world) => ({ integration_id: await world.integration() }),
  ...(request === undefined ? {} : { request }),
})
const sourceThrough = async (world: World) => ({
  name: 'made here',
  provider: 'http',
  config: { url: 'http://127.0.0.1:1024/rows.csv' },
  integration_id: await world.integration(),
})
const variable: Fixture = { params: async (world) => ({ name: await world.variable() }) }
const csv = { rawBody: 'a,b\n1,2\n', headers: { 'content-type': 'text/csv' } }

/** One for each public endpoint that needs a credential; the suite fails where one is missing. */
export const fixtures: Record<string, Fixture> = {
  'auth.me': empty,
  'auth.updateMe': { request: { body: { name: 'Owner' } } },
  'auth.createApiKey': { request: { body: { name: 'made here' } } },
  'auth.listApiKeys': empty,
  'auth.getApiKey': key(),
  'auth.updateApiKey': key({ body: { name: 'renamed' } }),
  'auth.deleteApiKey': key(),
  'auth.rotateApiKey': key({ body: {} }),
  'auth.createServicePrincipal': { request: { body: { name: 'made here', scopes: ['data:read'] } } },
  'auth.listServicePrincipals': empty,
  'auth.getServicePrincipal': principal(),
  'auth.updateServicePrincipal': principal({ body: { name: 'renamed' } }),
  'auth.deleteServicePrincipal': principal(),
  'auth.rotateServicePrincipalSecret': principal({ body: {} }),
  'auth.logout': { as: (world) => world.fleet.token(world.fleet.owner) },
  'auth.listSessions': empty,
  'auth.endSession': { params: async (world) => ({ id: await world.session() }) },
  'auth.listUsers': empty,
  'auth.inviteUser': { make: () => ({ body: { email: newAddress(), role: 'viewer' } }) },
  'auth.getUser': user(),
  'auth.updateUser': user({ body: { role: 'viewer' } }),
  'auth.removeUser': user(),
  'auth.updateUserNamed': {
    make: async (world) => ({ body: { user_id: await world.user(), role: 'viewer' } }),
    foreign: async (world) => ({ body: { user_id: await world.user(), role: 'viewer' }, pointer: '/user_id' }),
  },
  'auth.removeUserNamed': { make: async (world) => ({ query: `user_id=${await world.user()}` }) },
  'auth.listRoles': empty,
  'auth.createRole': { make: (world) => ({ body: { name: world.name(), scopes: ['data:read'] } }) },
  'auth.getRole': role(),
  'auth.updateRole': role({ body: { description: 'changed' } }),
  'auth.deleteRole': role(),
  'auth.updateRoleNamed': {
    make: async (world) => ({ body: { role_id: await world.role(), description: 'changed' } }),
    foreign: async (world) => ({ body: { role_id: await world.role(), description: 'changed' }, pointer: '/role_id' }),
  },
  'auth.deleteRoleNamed': { make: async (world) => ({ query: `role_id=${await world.role()}` }) },
  'system.listWorkspaces': empty,
  'system.createWorkspace': { request: { body: { name: 'another' } } },
  'system.getWorkspace': empty,
  'system.updateWorkspace': { request: { body: { name: 'renamed' } } },
  'system.listVariables': empty,
  'system.putVariable': { request: { body: { name: 'MADE_HERE', value: 'x' } } },
  'system.getVariable': variable,
  'system.deleteVariable': variable,
  'data.listSources': empty,
  'data.createSource': {
    request: { body: { name: 'made here', provider: 'upload' } },
    foreign: async (world) => ({ body: await sourceThrough(world), pointer: '/integration_id' }),
  },
  'data.getSource': source(),
  'data.updateSource': source({ body: { name: 'renamed' } }),
  'data.deleteSource': source(),
  'data.uploadRecords': source(csv),
  'data.startSync': source(),
  'data.search': { make: () => ({ query: 'q=rooms' }) },
  'data.searchRecords': {
    request: { body: { query: 'rooms' } },
    foreign: async (world) => ({
      body: { query: 'rooms', data_source_ids: [await world.source()] },
      pointer: '/data_source_ids/0',
    }),
  },
  'data.listSyncs': source(),
  'data.getSync': { params: async (world) => ({ id: await world.sync() }) },
  'data.cancelSync': { params: async (world) => ({ id: await world.sync() }) },
  'data.listRecords': source(),
  'data.getRecord': { params: async (world) => ({ record_id: await world.record() }) },
  'integrations.listProviders': empty,
  'integrations.listIntegrations': empty,
  'integrations.createIntegration': {
    request: { body: { provider: 'github', name: 'made here', secrets: { token: 'x' } } },
  },
  'integrations.getIntegration': integration(),
  'integrations.updateIntegration': integration({ body: { name: 'renamed' } }),
  'integrations.deleteIntegration': integration(),
  'integrations.testIntegration': integration(),
  'webhooks.listSubscriptions': empty,
  'webhooks.createSubscription': {
    request: { body: { endpoint: 'https://127.0.0.1:8443/', events: ['FORECASTING_FINISHED'] } },
    other: { endpoint: 'https://127.0.0.1:8443/', events: ['*'] },
  },
  'webhooks.getSubscription': webhook(),
  'webhooks.updateSubscription': webhook({ body: { description: 'changed' } }),
  'webhooks.deleteSubscription': webhook(),
  'webhooks.getSecret': webhook(),
  'webhooks.rotateSecret': webhook({ body: {} }),
  'webhooks.sendTest': webhook(),
  'webhooks.listDeliveries': webhook(),
  'webhooks.pollDeliveries': { params: async (world) => ({ webhook_id: await world.polled() }) },
  'webhooks.getDelivery': { params: async (world) => ({ request_id: await world.delivery() }) },
  'webhooks.resendDelivery': { params: async (world) => ({ request_id: await world.settledDelivery() }) },
  'webhooks.startReplay': webhook({ body: replayBody() }),
  'webhooks.getReplay': { params: async (world) => ({ id: await world.replay() }) },
  'webhooks.cancelReplay': { params: async (world) => ({ id: await world.replay() }) },
  'webhooks.listEventKinds': empty,
  'solutions.listSolutions': empty,
  'solutions.listForecastRuns': empty,
  'solutions.startForecastRun': {
    request: { body: forecastBody() },
    other: { ...forecastBody(), horizon: 8 },
    foreign: async (world) => {
      const { series: _series, ...rest } = forecastBody()
      const body = { ...rest, data_source_id: await world.source(), timestamp_field: 'ts', value_field: 'value' }
      return { body, pointer: '/data_source_id' }
    },
  },
  'solutions.getForecastRun': { params: async (world) => ({ id: await world.run() }) },
  'solutions.cancelForecastRun': { params: async (world) => ({ id: await world.run() }) },
  'solutions.listRecommendations': empty,
  'solutions.getRecommendation': { params: async (world) => ({ id: await world.recommendation() }) },
  'solutions.updateRecommendation': {
    params: async (world) => ({ id: await world.recommendation() }),
    request: { body: { status: 'accepted' } },
  },
  'audit.listLogs': empty,
  'audit.verifyLogs': empty,
  'audit.getLog': { params: async (world) => ({ id: await world.log() }) },
}
