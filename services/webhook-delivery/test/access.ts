import {
  type AccessContext,
  type AccessFixture,
  type AccessFixtures,
  type EdgeRequestOptions,
  eventually,
} from '@wp/testkit'

const endpoint = 'https://127.0.0.1:8443/'
const oneHour = { since: '2026-01-05T09:00:00.000Z', until: '2026-01-05T10:00:00.000Z' }

/** Creates a subscription of a rare kind: the failed attempts of many events would hold an endpoint back. */
const createSubscription = (context: AccessContext, body: object): Promise<string> =>
  context.createId('/v1/webhooks/webhooks', { events: ['FORECASTING_FINISHED'], ...body }, 'webhook_id')

const createWebhook = (context: AccessContext): Promise<string> =>
  createSubscription(context, { endpoint, secret: 'secret' })

/** Sends a test event to an endpoint that refuses connections. */
const createDelivery = async (context: AccessContext): Promise<string> =>
  context.createId(`/v1/webhooks/webhooks/${await createWebhook(context)}/test`, undefined, 'request_id')

async function createFailedDelivery(context: AccessContext): Promise<string> {
  const id = await createDelivery(context)
  await eventually(async () => (await context.read(`/v1/webhooks/deliveries/${id}`)).status === 'failed')
  return id
}

/** Starts a replay, which stays queued because of `accessEnv`. */
const createReplay = async (context: AccessContext): Promise<string> =>
  context.createId(`/v1/webhooks/webhooks/${await createWebhook(context)}/replay`, oneHour)

const withWebhook = (request?: EdgeRequestOptions): AccessFixture => ({
  params: async (context) => ({ webhook_id: await createWebhook(context) }),
  ...(request === undefined ? {} : { request }),
})

const withReceiver: AccessFixture = {
  params: async (context) => ({ receiver_id: await context.createId('/v1/webhooks/receivers', {}, 'receiver_id') }),
}

export const newPortalLink = { customer_id: 'acme', events: ['*'] }

const withPortalLink: AccessFixture = {
  params: async (context) => ({
    portal_link_id: await context.createId('/v1/webhooks/portal-links', newPortalLink, 'portal_link_id'),
  }),
}
const newDestination = { name: 'Archive', content: 'events', config: { type: 'http', url: endpoint } }

const withDestination = (request?: EdgeRequestOptions): AccessFixture => ({
  params: async (context) => ({
    destination_id: await context.createId('/v1/webhooks/destinations', newDestination, 'destination_id'),
  }),
  ...(request === undefined ? {} : { request }),
})

/** Settings of the service in the fleet of the access suite: one attempt per delivery, and replays that stay queued. */
export const accessEnv = { RETRY_SCHEDULE_SECONDS: '0', REPLAY_BACKLOG: '0' }

export const accessFixtures: AccessFixtures = {
  'webhooks.listSubscriptions': {},
  'webhooks.createSubscription': {
    request: { body: { endpoint, events: ['FORECASTING_FINISHED'] } },
    alternativeBody: { endpoint, events: ['*'] },
  },
  'webhooks.getSubscription': withWebhook(),
  'webhooks.updateSubscription': withWebhook({ body: { description: 'changed' } }),
  'webhooks.deleteSubscription': withWebhook(),
  'webhooks.getSecret': withWebhook(),
  'webhooks.rotateSecret': withWebhook({ body: {} }),
  'webhooks.sendTest': withWebhook(),
  'webhooks.listDeliveries': withWebhook(),
  'webhooks.pollDeliveries': {
    params: async (context) => ({ webhook_id: await createSubscription(context, { delivery: 'poll' }) }),
  },
  'webhooks.getDelivery': { params: async (context) => ({ request_id: await createDelivery(context) }) },
  'webhooks.resendDelivery': { params: async (context) => ({ request_id: await createFailedDelivery(context) }) },
  'webhooks.listAllDeliveries': {},
  'webhooks.countDeliveries': {
    ...withWebhook(),
    buildRequest: () => ({ query: `${new URLSearchParams(oneHour)}` }),
  },
  'webhooks.getStatistics': withWebhook(),
  'webhooks.startReplay': withWebhook({ body: oneHour }),
  'webhooks.getReplay': { params: async (context) => ({ id: await createReplay(context) }) },
  'webhooks.cancelReplay': { params: async (context) => ({ id: await createReplay(context) }) },
  'webhooks.listEventKinds': {},
  'webhooks.listDestinations': {},
  'webhooks.createDestination': {
    request: { body: newDestination },
    alternativeBody: { ...newDestination, name: 'Another' },
  },
  'webhooks.getDestination': withDestination(),
  'webhooks.updateDestination': withDestination({ body: { name: 'Renamed' } }),
  'webhooks.deleteDestination': withDestination(),
  'webhooks.testDestination': withDestination(),
  'webhooks.replayDestination': withDestination({ body: { from_seq: 1 } }),
  'webhooks.listReceivers': {},
  'webhooks.createReceiver': {
    request: {},
    withoutIdempotencyKey: 'it takes nothing, so that no other request can be sent with the key',
  },
  'webhooks.getReceiver': withReceiver,
  'webhooks.deleteReceiver': withReceiver,
  'webhooks.listReceivedRequests': withReceiver,
  'webhooks.listPortalLinks': {},
  'webhooks.createPortalLink': {
    request: { body: newPortalLink },
    alternativeBody: { ...newPortalLink, customer_id: 'globex' },
  },
  'webhooks.getPortalLink': withPortalLink,
  'webhooks.revokePortalLink': withPortalLink,
}
