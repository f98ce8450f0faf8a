import { integrationsInternal, Problem, type RequestCaller, type SourceConfig } from '@wp/contracts'
import type { Job, JobFailure } from '@wp/jobs'
import { redactIntegrationSecrets, redactSecrets, secretsOfHeader } from '@wp/outbound'
import type { Log } from '@wp/runtime'
import type { InternalCalls } from '@wp/service'
import { reportIntegrationUse } from '@wp/service/integration-uses'
import { crawlFailure } from '../providers/crawl-failure.ts'
import type { ResolvedIntegration } from '../providers/source-reader.ts'

/** The integration of a source during a crawl. */
export interface IntegrationAccess {
  /** Undefined if the source uses no integration. */
  integration: ResolvedIntegration | undefined
  /** Reports the outcome of the crawl to the integration. Never rejects: the next crawl reports again. */
  report(failure?: JobFailure): Promise<void>
}

/**
 * Resolves the integration of a source with its secrets.
 * @throws JobFailure if it cannot be used; Problem `service_unavailable` if the integrations service is unavailable
 */
export async function resolveIntegration(
  { internal, log }: { internal: InternalCalls; log: Log },
  job: Job,
  integrationId: string | null,
): Promise<IntegrationAccess> {
  if (integrationId === null) return { integration: undefined, report: async () => undefined }
  const { requestId, traceparent } = job.caller ?? { requestId: job.id }
  const about = { workspaceId: job.workspaceId, requestId, ...(traceparent === undefined ? {} : { traceparent }) }
  const { revision, ...integration } = await orJobFailure(
    internal.callDelegated('source_sync', integrationsInternal.resolveSecret, about, inputOf(integrationId)),
  )
  return {
    integration,
    report: (failure) =>
      reportIntegrationUse(
        { internal, log },
        about,
        integrationId,
        { ...outcomeOf(failure), revision },
        { job: job.id },
      ),
  }
}

/**
 * Returns an integration with its secrets on behalf of a caller, who needs the scope `integrations:read`; undefined if
 * the source uses none.
 * @throws Problem `missing_scope`; otherwise as `resolveIntegration`
 */
export async function requestIntegration(
  internal: InternalCalls,
  caller: RequestCaller,
  integrationId: string | null,
): Promise<ResolvedIntegration | undefined> {
  if (integrationId === null) return undefined
  return orJobFailure(
    internal.callForCaller(caller, 'integrations:read', integrationsInternal.resolveSecret, inputOf(integrationId)),
  )
}

/**
 * Creates the function that masks the secrets of a source and its integration in what is reported of a crawl, because
 * servers repeat them in errors, redirects and names.
 */
export function createRedaction(
  integration: ResolvedIntegration | undefined,
  config: SourceConfig,
): (text: string) => string {
  const { headers, url } = 'url' in config ? config : { headers: {}, url: '' }
  const user = typeof integration?.config.user === 'string' ? integration.config.user : undefined
  const secrets = Object.values(integration?.secrets ?? {}).flatMap(piecesOf)
  const given = [...Object.entries(headers), ...(URL.parse(url)?.searchParams ?? [])]
  const own = given.filter(([name, value]) => isSecret(name, value)).flatMap(([, value]) => secretsOfHeader(value))
  const options = { isTruncated: true, mask: '[secret]' }
  const redact = redactIntegrationSecrets(secrets, { user, isTruncated: true })
  const redactOwn = redactSecrets(own.flatMap(piecesOf), options)
  return (text) => redactOwn(redact(text))
}

/** Tells headers and parameters that hold secrets, which should be in an integration: `api_key`, but not `sort_key`. */
const isSecret = (name: string, value: string): boolean =>
  secretWords.test(name) || (value.length >= pieceLength && secretParts.test(name))
const secretWords =
  /(?<![a-z])(?:auth|authorization|cookie|(?:api[-_]?|(?<!(?:sort|order|group|partition)[-_]?))key|token|secret|sig(?:nature)?|pass(?:word|wd)?|session|credentials?|code)(?![a-z])/i
const secretParts = /auth|cookie|key|token|secret|sig|pass|session|credential|code/i

/** Quotes are cut, so that only a part of a long secret may be shown. Of a private key no more pieces are searched. */
function piecesOf(secret: string): string[] {
  if (secret.length < 2 * pieceLength) return [secret]
  const length = Math.max(pieceLength, Math.ceil(secret.length / maxPieces))
  return [secret, ...(secret.match(new RegExp(`.{${length}}`, 'gs')) ?? [])]
}
const [pieceLength, maxPieces] = [16, 32]

const inputOf = (integrationId: string) => ({
  params: { integration_id: integrationId },
})

async function orJobFailure<T>(resolving: Promise<T>): Promise<T> {
  try {
    return await resolving
  } catch (cause) {
    const code = cause instanceof Problem ? cause.code : undefined
    if (code === 'not_found') throw crawlFailure('config', 'The integration of the data source no longer exists', cause)
    if (code === 'integration_disconnected')
      throw crawlFailure('auth', 'The integration of the data source is disconnected', cause)
    throw cause
  }
}

function outcomeOf(failure: JobFailure | undefined) {
  if (failure === undefined) return { outcome: 'ok' as const }
  const { code, message } = failure.error
  return { outcome: code === 'auth' ? ('unauthorized' as const) : ('error' as const), message: message.slice(0, 1000) }
}
