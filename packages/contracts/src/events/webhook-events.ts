import { z } from 'zod'
import { event } from '../core/event.ts'
import { recommendedSaving } from '../solutions/recommendation-shapes.ts'
import { auditDocEvents } from './audit-doc-events.ts'
import { destinationEvents } from './destination-events.ts'
import { invoiceEvents } from './invoice-events.ts'
import { exampleIds, failureFields, nameField, payloadExample, payloadFields } from './payload.ts'
import { planEvents } from './plan-events.ts'
import { usageEvents } from './usage-events.ts'

/** Every event kind for subscriptions. */
export const webhookEvents = {
  FORECASTING_FINISHED: event({
    kind: 'FORECASTING_FINISHED',
    producer: 'solutions',
    summary: 'A forecast run has its result',
    isSubscribable: true,
    data: z.object(payloadFields('finished')),
    example: payloadExample(exampleIds.run, 'finished'),
  }),
  FORECASTING_FAILED: event({
    kind: 'FORECASTING_FAILED',
    producer: 'solutions',
    summary: 'A forecast run failed',
    isSubscribable: true,
    data: z.object({ ...payloadFields('failed'), ...failureFields }),
    example: payloadExample(exampleIds.run, 'failed', {
      error: { code: 'series_too_short', message: 'Every series is too short' },
    }),
  }),
  RECOMMENDATION_CREATED: event({
    kind: 'RECOMMENDATION_CREATED',
    producer: 'solutions',
    summary: 'A finished forecast run resulted in a recommendation',
    isSubscribable: true,
    data: z.object({
      ...payloadFields('open'),
      forecast_run_id: z.string().describe('The run that made the recommendation'),
      kind: z.string().describe('Kind of the recommendation, such as `consolidation`'),
      title: z.string().describe('The recommendation in a line'),
      saving: recommendedSaving.describe('Saving of a year; null where no costs are known'),
      scenario_id: z.string().nullable().describe('The scenario that proves it; null if there is none'),
    }),
    example: payloadExample(exampleIds.recommendation, 'open', {
      forecast_run_id: exampleIds.run,
      kind: 'consolidation',
      title: 'Close Munich / Floor 3 on Fridays',
      saving: { amount: 1_200_000, currency: 'EUR' },
      scenario_id: exampleIds.scenario,
    }),
  }),
  ...planEvents,
  DATA_SYNC_FINISHED: event({
    kind: 'DATA_SYNC_FINISHED',
    producer: 'data',
    summary: 'A sync of a data source finished',
    isSubscribable: true,
    data: z.object({
      ...payloadFields('finished'),
      data_source_id: z.string().describe('The data source that was read'),
      data_source_name: nameField('Name of the data source'),
      counts: z
        .record(z.string(), z.number())
        .describe('Numbers of rows by what became of them, as in `counts` of the sync'),
    }),
    example: payloadExample(exampleIds.sync, 'finished', {
      data_source_id: exampleIds.source,
      data_source_name: 'Badge events',
      counts: { seen: 48, created: 48, updated: 0, deleted: 0, failed: 0 },
    }),
  }),
  DATA_SYNC_FAILED: event({
    kind: 'DATA_SYNC_FAILED',
    producer: 'data',
    summary: 'A sync of a data source failed',
    isSubscribable: true,
    data: z.object({
      ...payloadFields('failed'),
      data_source_id: z.string().describe('The data source that was read'),
      data_source_name: nameField('Name of the data source'),
      // rows stored before the failure; absent if the sync failed before it stored any
      counts: z
        .record(z.string(), z.number())
        .optional()
        .describe('Rows that were stored before the failure; absent if there were none'),
      ...failureFields,
    }),
    example: payloadExample(exampleIds.sync, 'failed', {
      data_source_id: exampleIds.source,
      data_source_name: 'Badge events',
      error: { code: 'auth', message: 'Refused' },
    }),
  }),
  AGENT_RUN_FINISHED: event({
    kind: 'AGENT_RUN_FINISHED',
    producer: 'ai',
    summary: 'An agent run finished',
    isSubscribable: true,
    data: z.object({ ...payloadFields('finished'), agent_id: z.string().describe('The agent that ran') }),
    example: payloadExample(exampleIds.agentRun, 'finished', { agent_id: exampleIds.agent }),
  }),
  AGENT_RUN_FAILED: event({
    kind: 'AGENT_RUN_FAILED',
    producer: 'ai',
    summary: 'An agent run failed',
    isSubscribable: true,
    data: z.object({
      ...payloadFields('failed'),
      agent_id: z.string().describe('The agent that ran'),
      ...failureFields,
    }),
    example: payloadExample(exampleIds.agentRun, 'failed', { agent_id: exampleIds.agent }),
  }),
  INTEGRATION_CONNECTED: event({
    kind: 'INTEGRATION_CONNECTED',
    producer: 'integrations',
    summary: 'An integration was connected',
    isSubscribable: true,
    data: z.object({
      ...payloadFields('connected'),
      name: nameField('Name of the integration'),
      provider: z.string().describe('What it connects to, such as `postgres`'),
    }),
    example: payloadExample('int_01h455vb4pex5vsknk084sn02q', 'connected', {
      name: 'Booking database',
      provider: 'postgres',
    }),
  }),
  INTEGRATION_FAILED: event({
    kind: 'INTEGRATION_FAILED',
    producer: 'integrations',
    summary: 'A provider rejects the credentials or connection of an integration',
    isSubscribable: true,
    data: z.object({
      ...payloadFields('error'),
      name: nameField('Name of the integration'),
      provider: z.string().describe('What it connects to, such as `http`'),
      reason: z.string().describe('What the provider rejected, in a sentence'),
    }),
    example: payloadExample('int_01h455vb4pex5vsknk084sn02q', 'error', {
      name: 'Booking service',
      provider: 'http',
      reason: 'The provider answered 401',
    }),
  }),
  API_KEY_CREATED: event({
    kind: 'API_KEY_CREATED',
    producer: 'auth',
    summary: 'An API key was created',
    isSubscribable: true,
    data: z.object({
      ...payloadFields('active'),
      name: z.string().nullable().describe('Name of the key; null if it has none'),
    }),
    example: payloadExample(exampleIds.key, 'active', { name: 'reporting' }),
  }),
  API_KEY_REVOKED: event({
    kind: 'API_KEY_REVOKED',
    producer: 'auth',
    summary: 'An API key was deleted',
    isSubscribable: true,
    data: z.object({
      ...payloadFields('revoked'),
      name: z.string().nullable().describe('Name of the key; null if it has none'),
    }),
    example: payloadExample(exampleIds.key, 'revoked', { name: 'reporting' }),
  }),
  USER_INVITED: event({
    kind: 'USER_INVITED',
    producer: 'auth',
    summary: 'A user was invited to the workspace',
    isSubscribable: true,
    data: z.object({
      ...payloadFields('invited'),
      role: z.string().describe('Role that the user gets with the invitation'),
    }),
    example: payloadExample('inv_01h455vb4pex5vsknk084sn02q', 'invited', { role: 'member' }),
  }),
  USER_REMOVED: event({
    kind: 'USER_REMOVED',
    producer: 'auth',
    summary: 'A member was removed from the workspace',
    isSubscribable: true,
    data: z.object(payloadFields('removed')),
    example: payloadExample(exampleIds.user, 'removed'),
  }),
  WEBHOOK_FAILING: event({
    kind: 'WEBHOOK_FAILING',
    producer: 'webhook-delivery',
    summary: 'Deliveries to a subscription keep failing; includes advice',
    isSubscribable: true,
    data: z.object({
      ...payloadFields('failing'),
      name: nameField('Description of the subscription, or the host of its endpoint'),
      failing_since: z.string().describe('Time of the first failure since the last success'),
      advice: z
        .enum(['check_endpoint', 'rotate_secret'])
        .describe('What to do: repair the endpoint, or give the receiver the secret'),
    }),
    example: payloadExample(exampleIds.webhook, 'failing', {
      name: 'hooks.example.com',
      failing_since: '2026-01-05T09:30:00.000Z',
      advice: 'check_endpoint',
    }),
  }),
  WEBHOOK_DISABLED: event({
    kind: 'WEBHOOK_DISABLED',
    producer: 'webhook-delivery',
    summary: 'A subscription was disabled',
    isSubscribable: true,
    data: z.object({
      ...payloadFields('disabled'),
      name: nameField('Description of the subscription, or the host of its endpoint'),
      reason: z.string().describe('As `disabled_reason` of the subscription'),
    }),
    example: payloadExample(exampleIds.webhook, 'disabled', { name: 'hooks.example.com', reason: 'gone' }),
  }),
  ...destinationEvents,
  ...auditDocEvents,
  ...usageEvents,
  ...invoiceEvents,
  PLAN_CHANGED: event({
    kind: 'PLAN_CHANGED',
    producer: 'billing',
    summary: 'The plan of the workspace changed',
    isSubscribable: true,
    data: z.object({
      ...payloadFields('active'),
      plan_id: z.string().describe('The new plan'),
      plan: z.string().describe('Its code'),
    }),
    example: payloadExample(exampleIds.subscription, 'active', { plan_id: exampleIds.plan, plan: 'team' }),
  }),
  WEBHOOK_TEST: event({
    kind: 'WEBHOOK_TEST',
    producer: 'webhook-delivery',
    summary: 'A test event, sent on request to one subscription',
    isSubscribable: true,
    data: z.object(payloadFields('test')),
    example: payloadExample(exampleIds.webhook, 'test'),
  }),
} as const

/** A kind that a service emits and a subscription can select. */
export type WebhookEventKind = keyof typeof webhookEvents

/** Every kind that a subscription can select. */
export const webhookEventKinds = Object.keys(webhookEvents) as WebhookEventKind[] // the keys of a constant object are exactly its declared names
