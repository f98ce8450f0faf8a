import type { NotificationCategory, Scope } from '@wp/contracts'
import { type NotificationDetails, planDetails } from './plan-details.ts'

/** Rules by which users are notified of a kind of event. */
export interface KindEntry {
  category: NotificationCategory
  /** Critical notifications cannot be muted or deferred. */
  isCritical?: true
  /** The scope that a recipient needs to read the thing. */
  scope: Scope
  /** The scope that a recipient needs in addition to get mails, where only some can do something about it. */
  mailScope?: Scope
  /** With fields like those of the body, all of which must be present. */
  title: string
  /**
   * Sentences with `{field}`, `{object.field}` or `{field|other}` (the first that is there) of the payload; one with a
   * missing field is left out.
   */
  body: readonly string[]
  /** Returns what mails and Slack messages show below the body. */
  details?: (data: Readonly<Record<string, unknown>>) => NotificationDetails
}

/** Every kind of event that users are notified of. */
export const kinds: Readonly<Record<string, KindEntry>> = {
  FORECASTING_FINISHED: {
    category: 'forecasts',
    scope: 'solutions:read',
    title: 'A forecast is ready',
    body: ['The forecast run {id} finished.'],
  },
  FORECASTING_FAILED: {
    category: 'forecasts',
    scope: 'solutions:read',
    title: 'A forecast failed',
    body: ['The forecast run {id} failed.', '{error.message}.'],
  },
  RECOMMENDATION_CREATED: {
    category: 'forecasts',
    scope: 'solutions:read',
    title: 'There is a new recommendation',
    body: ['{title}.'],
  },
  WORKPLACE_PLAN_CREATED: {
    category: 'plans',
    scope: 'solutions:read',
    title: '{title}',
    body: ['{headline}.', '{previous}.'],
    details: planDetails,
  },
  DATA_SYNC_FINISHED: {
    category: 'data',
    scope: 'data:read',
    title: 'A sync finished',
    body: [
      'The sync of the data source “{data_source_name|data_source_id}” finished.',
      '{counts.created} records were created, {counts.updated} updated and {counts.deleted} deleted.',
    ],
  },
  DATA_SYNC_FAILED: {
    category: 'data',
    scope: 'data:read',
    title: 'A sync failed',
    body: ['The sync of the data source “{data_source_name|data_source_id}” failed.', '{error.message}.'],
  },
  AGENT_RUN_FINISHED: {
    category: 'agents',
    scope: 'agents:read',
    title: 'An agent run finished',
    body: ['The run {id} of the agent {agent_id} finished.'],
  },
  AGENT_RUN_FAILED: {
    category: 'agents',
    scope: 'agents:read',
    title: 'An agent run failed',
    body: ['The run {id} of the agent {agent_id} failed.', '{error.message}.'],
  },
  INTEGRATION_CONNECTED: {
    category: 'integrations',
    scope: 'integrations:read',
    title: 'An integration was connected',
    body: ['The {provider} integration “{name|id}” is connected.'],
  },
  INTEGRATION_FAILED: {
    category: 'integrations',
    scope: 'integrations:read',
    title: 'An integration stopped working',
    body: [
      'The {provider} integration “{name|id}” is rejected by its provider.',
      '{reason}.',
      'Check its credentials.',
    ],
  },
  API_KEY_CREATED: {
    category: 'security',
    isCritical: true,
    scope: 'auth:read',
    title: 'An API key was created',
    body: [
      'The API key “{name}” was created.',
      'If you do not know of it, ask an administrator to delete the key {id}.',
    ],
  },
  API_KEY_REVOKED: {
    category: 'security',
    scope: 'auth:read',
    title: 'An API key was deleted',
    body: ['The API key {id} was deleted.', 'Its name was “{name}”.'],
  },
  USER_INVITED: {
    category: 'security',
    scope: 'auth:read',
    title: 'A user was invited',
    body: ['The user {id} was invited to the workspace with the role {role}.'],
  },
  USER_REMOVED: {
    category: 'security',
    scope: 'auth:read',
    title: 'A member was removed',
    body: ['The member {id} was removed from the workspace.'],
  },
  WEBHOOK_FAILING: {
    category: 'webhooks',
    scope: 'webhooks:read',
    mailScope: 'webhooks:write',
    title: 'Webhook deliveries are failing',
    body: [
      'Deliveries to the webhook “{name|id}” have failed since {failing_since}.',
      'Check the endpoint and its secret.',
    ],
  },
  WEBHOOK_DISABLED: {
    category: 'webhooks',
    isCritical: true,
    scope: 'webhooks:read',
    mailScope: 'webhooks:write',
    title: 'A webhook was disabled',
    body: ['The webhook “{name|id}” gets no more events.', 'Correct its endpoint, then set it to active.'],
  },
  EVENT_DESTINATION_FAILING: {
    category: 'webhooks',
    scope: 'webhooks:read',
    mailScope: 'webhooks:write',
    title: 'Writing to an event destination is failing',
    body: [
      'Writing to the event destination “{name|id}” has failed since {failing_since}.',
      'Its records wait until it works again.',
    ],
  },
  EVENT_DESTINATION_DISABLED: {
    category: 'webhooks',
    isCritical: true,
    scope: 'webhooks:read',
    mailScope: 'webhooks:write',
    title: 'An event destination was disabled',
    body: [
      'The event destination “{name|id}” gets no more records.',
      'Correct its settings, then set it to active: it goes on where it stopped.',
    ],
  },
  AUDIT_DOC_FINISHED: {
    category: 'audit',
    scope: 'audit:export',
    title: 'A compliance export is ready',
    body: ['The compliance export can be downloaded: a {format} file, records: {record_count}.'],
  },
  AUDIT_DOC_FAILED: {
    category: 'audit',
    scope: 'audit:export',
    title: 'A compliance export failed',
    body: ['The compliance export {id} failed.', '{error.message}.', 'Start another one.'],
  },
  INVOICE_ISSUED: {
    category: 'billing',
    scope: 'billing:read',
    title: 'An invoice was issued',
    body: ['The invoice {id} was issued.'],
  },
  PLAN_CHANGED: {
    category: 'billing',
    scope: 'billing:read',
    title: 'The plan of the workspace changed',
    body: ['The workspace has another plan.', 'It is the plan {plan_id}.'],
  },
  USAGE_LIMIT_REACHED: {
    category: 'billing',
    isCritical: true,
    scope: 'billing:read',
    title: 'A usage limit is near or reached',
    body: ['The use of {meter} has reached {percent} % of its limit.', 'The limit is {limit}.'],
  },
}

/** Returns true if a recipient with these scopes may get mails of a kind. */
export const mayBeMailed = ({ scope, mailScope = scope }: KindEntry, scopes: readonly Scope[]): boolean =>
  scopes.includes(mailScope)

/** The kinds of events that the service consumes. */
export const notifiedKinds: readonly string[] = Object.keys(kinds)

/** Returns the kinds that a caller with these scopes may be notified of. */
export const visibleKinds = (scopes: readonly Scope[]): string[] =>
  Object.entries(kinds)
    .filter(([, { scope }]) => scopes.includes(scope))
    .map(([kind]) => kind)
