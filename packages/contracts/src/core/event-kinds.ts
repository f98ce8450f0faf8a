import { z } from 'zod'
import { principalTypes } from './caller.ts'
import { event } from './event.ts'
import { text } from './shape.ts'

/** Fields every payload has; `occurred_at` is added from the envelope when it is delivered. */
const about = <S extends string>(...status: [S, ...S[]]) => ({ id: z.string(), status: z.enum(status) })
const failure = { error: z.object({ code: z.string(), message: z.string() }).optional() }
const example = (id: string, status: string, more: Record<string, unknown> = {}) => ({ id, status, ...more })

const ids = {
  run: 'fr_01h455vb4pex5vsknk084sn02q',
  recommendation: 'rcm_01h455vb4pex5vsknk084sn02q',
  sync: 'sync_01h455vb4pex5vsknk084sn02q',
  source: 'src_01h455vb4pex5vsknk084sn02q',
  webhook: 'wh_01h455vb4pex5vsknk084sn02q',
  key: 'akey_01h455vb4pex5vsknk084sn02q',
  user: 'usr_01h455vb4pex5vsknk084sn02q',
}

/** Every event kind a subscription can name. */
export const webhookEvents = {
  FORECASTING_FINISHED: event({
    kind: 'FORECASTING_FINISHED',
    producer: 'solutions',
    summary: 'A forecast run has its result',
    isSubscribable: true,
    data: z.object(about('finished')),
    example: example(ids.run, 'finished'),
  }),
  FORECASTING_FAILED: event({
    kind: 'FORECASTING_FAILED',
    producer: 'solutions',
    summary: 'A forecast run failed',
    isSubscribable: true,
    data: z.object({ ...about('failed'), ...failure }),
    example: example(ids.run, 'failed', { error: { code: 'series_too_short', message: 'Every series is too short' } }),
  }),
  RECOMMENDATION_CREATED: event({
    kind: 'RECOMMENDATION_CREATED',
    producer: 'solutions',
    summary: 'A finished forecast run led to a recommendation',
    isSubscribable: true,
    data: z.object({ ...about('open'), forecast_run_id: z.string(), kind: z.string(), title: z.string() }),
    example: example(ids.recommendation, 'open', {
      forecast_run_id: ids.run,
      kind: 'underused_weekday',
      title: 'Fridays stay under 40 % of the usual peak',
    }),
  }),
  DATA_SYNC_FINISHED: event({
    kind: 'DATA_SYNC_FINISHED',
    producer: 'data',
    summary: 'A sync of a data source finished',
    isSubscribable: true,
    data: z.object({ ...about('finished'), data_source_id: z.string(), counts: z.record(z.string(), z.number()) }),
    example: example(ids.sync, 'finished', {
      data_source_id: ids.source,
      counts: { seen: 48, created: 48, updated: 0, deleted: 0, failed: 0 },
    }),
  }),
  DATA_SYNC_FAILED: event({
    kind: 'DATA_SYNC_FAILED',
    producer: 'data',
    summary: 'A sync of a data source failed',
    isSubscribable: true,
    data: z.object({
      ...about('failed'),
      data_source_id: z.string(),
      // Of what it had stored by then; absent where it did not come to that.
      counts: z.record(z.string(), z.number()).optional(),
      ...failure,
    }),
    example: example(ids.sync, 'failed', { data_source_id: ids.source, error: { code: 'auth', message: 'Refused' } }),
  }),
  AGENT_RUN_FINISHED: event({
    kind: 'AGENT_RUN_FINISHED',
    producer: 'ai',
    summary: 'An agent run finished',
    isSubscribable: true,
    data: z.object({ ...about('finished'), agent_id: z.string() }),
    example: example('run_01h455vb4pex5vsknk084sn02q', 'finished', { agent_id: 'agt_01h455vb4pex5vsknk084sn02q' }),
  }),
  AGENT_RUN_FAILED: event({
    kind: 'AGENT_RUN_FAILED',
    producer: 'ai',
    summary: 'An agent run failed',
    isSubscribable: true,
    data: z.object({ ...about('failed'), agent_id: z.string(), ...failure }),
    example: example('run_01h455vb4pex5vsknk084sn02q', 'failed', { agent_id: 'agt_01h455vb4pex5vsknk084sn02q' }),
  }),
  INTEGRATION_CONNECTED: event({
    kind: 'INTEGRATION_CONNECTED',
    producer: 'integrations',
    summary: 'A provider was connected',
    isSubscribable: true,
    data: z.object({ ...about('connected'), provider: z.string() }),
    example: example('int_01h455vb4pex5vsknk084sn02q', 'connected', { provider: 'postgres' }),
  }),
  INTEGRATION_FAILED: event({
    kind: 'INTEGRATION_FAILED',
    producer: 'integrations',
    summary: 'A connected provider refuses us',
    isSubscribable: true,
    data: z.object({ ...about('error'), provider: z.string(), reason: z.string() }),
    example: example('int_01h455vb4pex5vsknk084sn02q', 'error', {
      provider: 'http',
      reason: 'The provider answered 401',
    }),
  }),
  API_KEY_CREATED: event({
    kind: 'API_KEY_CREATED',
    producer: 'auth',
    summary: 'An API key was created',
    isSubscribable: true,
    data: z.object({ ...about('active'), name: z.string().nullable() }),
    example: example(ids.key, 'active', { name: 'reporting' }),
  }),
  API_KEY_REVOKED: event({
    kind: 'API_KEY_REVOKED',
    producer: 'auth',
    summary: 'An API key was deleted',
    isSubscribable: true,
    data: z.object({ ...about('revoked'), name: z.string().nullable() }),
    example: example(ids.key, 'revoked', { name: 'reporting' }),
  }),
  USER_INVITED: event({
    kind: 'USER_INVITED',
    producer: 'auth',
    summary: 'Somebody was invited to the workspace',
    isSubscribable: true,
    data: z.object({ ...about('invited'), role: z.string() }),
    example: example('inv_01h455vb4pex5vsknk084sn02q', 'invited', { role: 'member' }),
  }),
  USER_REMOVED: event({
    kind: 'USER_REMOVED',
    producer: 'auth',
    summary: 'A member was removed from the workspace',
    isSubscribable: true,
    data: z.object(about('removed')),
    example: example(ids.user, 'removed'),
  }),
  WEBHOOK_FAILING: event({
    kind: 'WEBHOOK_FAILING',
    producer: 'webhook-delivery',
    summary: 'A subscription keeps failing; says what is advised',
    isSubscribable: true,
    data: z.object({
      ...about('failing'),
      failing_since: z.string(),
      advice: z.enum(['check_endpoint', 'rotate_secret']),
    }),
    example: example(ids.webhook, 'failing', { failing_since: '2026-01-05T09:30:00.000Z', advice: 'check_endpoint' }),
  }),
  WEBHOOK_DISABLED: event({
    kind: 'WEBHOOK_DISABLED',
    producer: 'webhook-delivery',
    summary: 'A subscription was disabled',
    isSubscribable: true,
    data: z.object({ ...about('disabled'), reason: z.string() }),
    example: example(ids.webhook, 'disabled', { reason: 'gone' }),
  }),
  AUDIT_DOC_FINISHED: event({
    kind: 'AUDIT_DOC_FINISHED',
    producer: 'audit',
    summary: 'A compliance export is ready',
    isSubscribable: true,
    data: z.object({ ...about('finished'), format: z.string() }),
    example: example('doc_01h455vb4pex5vsknk084sn02q', 'finished', { format: 'csv' }),
  }),
  INVOICE_ISSUED: event({
    kind: 'INVOICE_ISSUED',
    producer: 'billing',
    summary: 'An invoice was issued',
    isSubscribable: true,
    data: z.object({ ...about('open'), total_minor: z.number().int(), currency: z.string() }),
    example: example('bill_01h455vb4pex5vsknk084sn02q', 'open', { total_minor: 4900, currency: 'EUR' }),
  }),
  PLAN_CHANGED: event({
    kind: 'PLAN_CHANGED',
    producer: 'billing',
    summary: 'The plan of the workspace changed',
    isSubscribable: true,
    data: z.object({ ...about('active'), plan_id: z.string() }),
    example: example('sub_01h455vb4pex5vsknk084sn02q', 'active', { plan_id: 'plan_01h455vb4pex5vsknk084sn02q' }),
  }),
  USAGE_LIMIT_REACHED: event({
    kind: 'USAGE_LIMIT_REACHED',
    producer: 'billing',
    summary: 'A meter reached its limit',
    isSubscribable: true,
    data: z.object({ ...about('reached'), meter: z.string(), limit: z.number() }),
    example: example('sub_01h455vb4pex5vsknk084sn02q', 'reached', { meter: 'forecast_runs', limit: 100 }),
  }),
  WEBHOOK_TEST: event({
    kind: 'WEBHOOK_TEST',
    producer: 'webhook-delivery',
    summary: 'A test sent on request to one subscription',
    isSubscribable: true,
    data: z.object(about('test')),
    example: example(ids.webhook, 'test'),
  }),
} as const

/** The kind of an event that subscriptions can name. */
export type WebhookEventKind = keyof typeof webhookEvents

/** Every kind that subscriptions can name. */
export const webhookEventKinds = Object.keys(webhookEvents) as WebhookEventKind[] // the keys of a constant object are exactly its declared names

/** What somebody did, for the audit log: written by `transact` beside the change itself. */
export const auditRecorded = event({
  kind: 'AUDIT_RECORDED',
  producer: 'any',
  summary: 'Somebody did something that the audit log keeps',
  isSubscribable: false,
  data: z.object({
    action: text(100),
    actor: z.object({ id: z.string(), type: z.enum(principalTypes) }),
    targets: z.array(z.object({ type: z.string(), id: z.string() })),
    context: z.object({ ip: z.string().nullable(), user_agent: z.string().nullable(), request_id: z.string() }),
    outcome: z.enum(['success', 'denied', 'failure']),
    changes: z.record(z.string(), z.unknown()).nullable(),
  }),
  example: {
    action: 'data_source.created',
    actor: { id: 'sp_01h455vb4pex5vsknk084sn02q', type: 'service_principal' },
    targets: [{ type: 'data_source', id: ids.source }],
    context: { ip: '198.51.100.7', user_agent: null, request_id: 'req-4f1c2a90' },
    outcome: 'success',
    changes: null,
  },
})
