import { setTimeout as pause } from 'node:timers/promises'
import { send, sendOk, type Workspace } from '../neighbours/workspace.ts'

export interface SiteUrls {
  http: string
  https: string
}

/** Makes a process read the response at a path of the hostile site, and returns what became of it. */
export type Target = (workspace: Workspace, site: SiteUrls, path: string) => Promise<string>

/** The time a target waits for the result, in seconds. */
const waitSeconds = 25

async function poll<T>(read: () => Promise<T | undefined>): Promise<T | undefined> {
  for (let attempt = 0; attempt < waitSeconds * 4; attempt += 1) {
    const result = await read()
    if (result !== undefined) return result
    await pause(250)
  }
  return undefined
}

/** Reads the response as a data source of a format. */
const syncFrom =
  (format: string): Target =>
  async (workspace, site, path) => {
    const body = { name: path, provider: 'http', config: { url: `${site.http}${path}`, format } }
    const { data_source_id: source } = await sendOk(workspace, 'POST', '/v1/data/sources', { body })
    const { id } = await sendOk(workspace, 'POST', `/v1/data/sources/${source}/sync/start`)
    const sync = await poll(async () => {
      const current = await sendOk(workspace, 'GET', `/v1/data/syncs/${id}`)
      return current.finished_at === null ? undefined : current
    })
    if (sync === undefined) await send(workspace, 'POST', `/v1/data/syncs/${id}/cancel`)
    await send(workspace, 'DELETE', `/v1/data/sources/${source}`)
    return sync === undefined ? 'still reading, cancelled' : describeSync(sync)
  }

const describeSync = (sync: { status: string; error: { code: string } | null; counts: Record<string, number> }) =>
  sync.error === null ? `${sync.status}: ${sync.counts.created} created, ${sync.counts.failed} failed` : sync.error.code

/** Tests an integration, which reads the response. */
const testIntegration =
  (provider: string, config: (url: string) => Record<string, unknown>, secrets = {}): Target =>
  async (workspace, site, path) => {
    const body = { provider, name: path, config: config(`${site.http}${path}`), secrets }
    const { integration_id: id } = await sendOk(workspace, 'POST', '/v1/integrations/integrations', { body })
    const tested = await send(workspace, 'POST', `/v1/integrations/integrations/${id}/test`)
    await send(workspace, 'DELETE', `/v1/integrations/integrations/${id}`)
    return tested.body.data?.last_error?.code ?? tested.body.code ?? `${tested.status} ${tested.body.data?.status}`
  }

/** Delivers an event to an endpoint that responds so. */
const deliver: Target = async (workspace, site, path) => {
  const body = { endpoint: `${site.https}${path}`, events: ['*'], secret: 'benchmark-signing-secret' }
  const { webhook_id: id } = await sendOk(workspace, 'POST', '/v1/webhooks/webhooks', { body })
  await sendOk(workspace, 'POST', `/v1/webhooks/webhooks/${id}/test`)
  const delivery = await poll(async () => {
    const [first] = await sendOk(workspace, 'GET', `/v1/webhooks/webhooks/${id}/deliveries`)
    if (first === undefined) return undefined
    const detail = await sendOk(workspace, 'GET', `/v1/webhooks/deliveries/${first.request_id}`)
    return detail.attempts.length > 0 ? detail : undefined
  })
  await send(workspace, 'DELETE', `/v1/webhooks/webhooks/${id}`)
  if (delivery === undefined) return 'no attempt ended'
  const [attempt] = delivery.attempts
  return attempt.error_kind === null ? delivery.status : `${delivery.status}: ${attempt.error_kind}`
}

/** Authorizes a client whose metadata document is the response. */
const authorizeClient: Target = async ({ baseUrl }, site, path) => {
  const parameters = new URLSearchParams({
    response_type: 'code',
    client_id: `${site.https}${path}`,
    redirect_uri: 'https://client.example/callback',
    scope: 'data:read',
    state: 'state',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
  })
  const response = await fetch(`${baseUrl}/v1/auth/authorize?${parameters}`, { redirect: 'manual' })
  const [, reason] = /<p[^>]*>([^<]+)<\/p>/.exec(await response.text()) ?? []
  return `${response.status}${reason === undefined ? '' : `: ${reason.trim()}`}`
}

/** The processes that read outside responses, and by what. */
export const targets: Readonly<
  Record<string, { process: 'auth' | 'data' | 'integrations' | 'webhook-delivery'; read: Target }>
> = {
  'data: JSON source': { process: 'data', read: syncFrom('json') },
  'data: NDJSON source': { process: 'data', read: syncFrom('ndjson') },
  'data: CSV source': { process: 'data', read: syncFrom('csv') },
  'data: HTML source': { process: 'data', read: syncFrom('html') },
  'integrations: AI provider': {
    process: 'integrations',
    read: testIntegration('openai_compatible', (url) => ({ base_url: url })),
  },
  'integrations: http': { process: 'integrations', read: testIntegration('http', (url) => ({ base_url: url })) },
  'webhook-delivery': { process: 'webhook-delivery', read: deliver },
  'auth: client metadata document': { process: 'auth', read: authorizeClient },
}
