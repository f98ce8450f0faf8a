import type { QuotaName } from '@wp/contracts'

/** A kind of resource that the load creates. Each belongs to another service. */
export interface Resource {
  object: string
  path: string
  quota: QuotaName
  /** The action of its creation in the audit log. */
  action: string
  /** Builds the body of the creation. */
  body(value: string, receiverUrl: string): object
  valueOf(entry: Record<string, unknown>): unknown
}

/** The resource whose creation is reported by an event with its name. */
export const reportedResource: Resource = {
  object: 'API keys',
  path: '/v1/auth/api-key',
  quota: 'api_keys',
  action: 'api_key.created',
  body: (name) => ({ name }),
  valueOf: ({ name }) => name,
}

export const resources: readonly Resource[] = [
  reportedResource,
  {
    object: 'data sources',
    path: '/v1/data/sources',
    quota: 'sources',
    action: 'data_source.created',
    body: (name) => ({ name, provider: 'upload' }),
    valueOf: ({ name }) => name,
  },
  {
    object: 'agents',
    path: '/v1/agents/agents',
    quota: 'agents',
    action: 'agent.created',
    body: (name) => ({ name }),
    valueOf: ({ name }) => name,
  },
  {
    object: 'integrations',
    path: '/v1/integrations/integrations',
    quota: 'integrations',
    action: 'integration.created',
    body: (name, url) => ({ provider: 'http', name, config: { base_url: url }, secrets: { token: 'secret' } }),
    valueOf: ({ name }) => name,
  },
  {
    object: 'variables',
    path: '/v1/system/workspace/variables',
    quota: 'variables',
    action: 'workspace_variable.set',
    body: (value) => ({ name: value.toUpperCase().replaceAll('-', '_'), value }),
    valueOf: ({ value }) => value,
  },
  {
    object: 'subscriptions',
    path: '/v1/webhooks/webhooks',
    quota: 'subscriptions',
    action: 'webhook.created',
    body: (description, url) => ({ description, endpoint: url, events: ['AUDIT_DOC_FAILED'], secret: 'a secret' }),
    valueOf: ({ description }) => description,
  },
]
