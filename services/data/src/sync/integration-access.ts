import { integrationsInternal, Problem } from '@wp/contracts'
import { type Job, JobFailure } from '@wp/jobs'
import type { InternalCalls, Logger, SystemCallContext } from '@wp/service'
import type { ResolvedIntegration } from '../providers/source-reader.ts'

/** What a source is read through, and whom to tell how that went. */
export interface IntegrationAccess {
  connection: ResolvedIntegration | undefined
  /** Says how a crawl went. Never throws: the next one says it again. */
  report(failure?: JobFailure): Promise<void>
}

/**
 * Asks for the integration a source is read through.
 * @throws JobFailure where it cannot be used; Problem `service_unavailable` where integrations are away
 */
export async function resolveIntegration(
  { internal, log }: { internal: InternalCalls; log: Logger },
  job: Job,
  integrationId: string | null,
): Promise<IntegrationAccess> {
  if (integrationId === null) return { connection: undefined, report: async () => undefined }
  const { requestId, traceparent } = job.caller ?? { requestId: job.id }
  const about = { workspaceId: job.workspaceId, requestId, ...(traceparent === undefined ? {} : { traceparent }) }
  const { provider, config, secrets, revision } = await requestSecrets(internal, about, integrationId)
  return {
    connection: { provider, config, secrets },
    async report(failure) {
      try {
        await internal.callAsSystem(integrationsInternal.reportUse, about, {
          params: { integration_id: integrationId },
          query: {},
          body: { ...outcomeOf(failure), revision },
        })
      } catch (err) {
        log.warn({ err, job: job.id, integrationId }, 'how an integration was used could not be said')
      }
    },
  }
}

async function requestSecrets(internal: InternalCalls, about: SystemCallContext, integrationId: string) {
  try {
    return await internal.callAsSystem(integrationsInternal.resolveSecret, about, {
      params: { integration_id: integrationId },
      query: {},
      body: undefined,
    })
  } catch (cause) {
    const code = cause instanceof Problem ? cause.code : undefined
    if (code === 'not_found')
      throw new JobFailure(
        { code: 'config', message: 'The integration the source is read through is no longer there', retryable: false },
        { cause },
      )
    if (code === 'integration_disconnected')
      throw new JobFailure(
        { code: 'auth', message: 'The integration the source is read through is disconnected', retryable: false },
        { cause },
      )
    throw cause
  }
}

function outcomeOf(failure: JobFailure | undefined) {
  if (failure === undefined) return { outcome: 'ok' as const }
  const { code, message } = failure.error
  return { outcome: code === 'auth' ? ('unauthorized' as const) : ('error' as const), message: message.slice(0, 1000) }
}
