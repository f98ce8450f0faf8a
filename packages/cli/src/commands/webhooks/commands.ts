import { buildCommand, buildRouteMap } from '@stricli/core'
import { connectionFlags, onePositional, switchFlag, textFlag, textsFlag } from '../../flag-types.ts'
import { listFlags, outputFlags } from '../../output/flags.ts'
import { resourceCommand } from '../resources/commands.ts'
import { removalFlags, subscriptionFlags } from './subscription-flags.ts'

const webhookId = onePositional('webhook-id', 'Id of the subscription')

const list = buildCommand({
  loader: async () => (await import('./subscriptions.ts')).listSubscriptions,
  parameters: { flags: listFlags },
  docs: { brief: 'List subscriptions' },
})

const create = buildCommand({
  loader: async () => (await import('./subscriptions.ts')).createSubscription,
  parameters: {
    flags: {
      ...subscriptionFlags,
      poll: switchFlag('Deliveries are polled, not sent to an endpoint'),
      ...outputFlags,
    },
    positional: {
      kind: 'tuple',
      parameters: [{ parse: String, optional: true, placeholder: 'endpoint', brief: 'HTTPS address of the receiver' }],
    },
  },
  docs: { brief: 'Create a subscription; its generated secret is shown once' },
})

const update = buildCommand({
  loader: async () => (await import('./subscriptions.ts')).updateSubscription,
  parameters: {
    flags: {
      ...subscriptionFlags,
      events: textsFlag('kinds', 'Event kinds, separated by commas'),
      ...removalFlags,
      endpoint: textFlag('url', 'HTTPS address of the receiver'),
      enable: switchFlag('Deliver again'),
      disable: switchFlag('Stop deliveries; matching events are recorded, and a replay sends them'),
      ...outputFlags,
    },
    positional: webhookId,
  },
  docs: { brief: 'Change, disable or enable a subscription' },
})

const remove = buildCommand({
  loader: async () => (await import('./subscriptions.ts')).deleteSubscription,
  parameters: { flags: connectionFlags, positional: webhookId },
  docs: { brief: 'Delete a subscription; its pending deliveries are cancelled' },
})

const deliveries = buildCommand({
  loader: async () => (await import('./deliveries.ts')).listDeliveries,
  parameters: {
    flags: {
      status: textFlag('status', 'Only deliveries that are pending, delivered, failed, skipped or cancelled'),
      ...listFlags,
    },
    positional: webhookId,
  },
  docs: { brief: 'List the deliveries to a subscription' },
})

const resend = buildCommand({
  loader: async () => (await import('./deliveries.ts')).resendDelivery,
  parameters: {
    flags: outputFlags,
    positional: onePositional('request-id', 'Id of the delivery, dlv_…'),
  },
  docs: { brief: 'Send a delivery again, with the same body and request id' },
})

const replay = buildCommand({
  loader: async () => (await import('./deliveries.ts')).replayDeliveries,
  parameters: {
    flags: {
      since: { ...textFlag('time', 'First time of the range (RFC 3339)'), optional: false },
      until: textFlag('time', 'End of the range (default: now)'),
      status: textsFlag('statuses', 'Statuses to send again (default: failed,skipped)'),
      wait: switchFlag('Wait until all were enqueued'),
      ...outputFlags,
    },
    positional: webhookId,
  },
  docs: { brief: 'Send the deliveries of a time range again' },
})

const listen = buildCommand({
  loader: async () => (await import('./listen.ts')).listen,
  parameters: {
    flags: {
      events: textsFlag('kinds', 'Event kinds, separated by commas (default: all)'),
      secret: textFlag('secret', 'Sign with this secret (default: WP_WEBHOOK_SECRET, or a generated one)'),
      json: switchFlag('Print a JSON object for each delivery'),
      ...connectionFlags,
    },
    positional: onePositional('address', 'Where your receiver listens: 3000, localhost:3000/hooks or a URL'),
  },
  docs: {
    brief: 'Forward deliveries to a receiver on this machine',
    fullDescription:
      'Creates a subscription that is polled, signs its deliveries and posts them to the address, in the order of the ' +
      'events. Prints a line for each delivery with the status of your receiver and the time it took.\n' +
      'A delivery that your receiver does not answer is sent again until it does; any status is an answer. After a lost ' +
      'connection to the platform, continues where it was. Ctrl-C deletes the subscription.',
  },
})

export const webhooks = buildRouteMap({
  routes: {
    list,
    events: resourceCommand('list', 'webhooks.listEventKinds'),
    create,
    update,
    delete: remove,
    deliveries,
    resend,
    replay,
    listen,
  },
  docs: { brief: 'Webhook subscriptions and deliveries' },
})
