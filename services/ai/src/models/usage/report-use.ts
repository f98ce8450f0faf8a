import type { WorkspaceCaller } from '@wp/contracts'
import type { InternalCalls, Logger, SystemCallContext } from '@wp/service'
import { reportIntegrationUse } from '@wp/service/integration-uses'
import { isUnauthorized } from '../model-failure.ts'

type Outcome = 'ok' | 'unauthorized' | 'error'

interface ReportOptions {
  internal: InternalCalls
  log: Logger
  about: SystemCallContext
  integrationId: string
  /** Revision of the configuration and secrets that are used. */
  revision: number
}

/**
 * Creates a function that reports the outcome of requests to the integrations service, each outcome once: a run makes
 * many requests. It does not wait for the report, and never throws: the next run reports again.
 */
export function createUseReporter({ internal, log, about, integrationId, revision }: ReportOptions) {
  const reported = new Set<Outcome>()
  return (status: number | undefined, message: string): void => {
    const outcome = outcomeOf(status)
    if (reported.has(outcome)) return
    reported.add(outcome)
    const body = { outcome, revision, ...(message === '' ? {} : { message: message.slice(0, 1_000) }) }
    void reportIntegrationUse({ internal, log }, about, integrationId, body)
  }
}

/** Returns the workspace and trace of a caller's request, for the reports of what it used. */
export const aboutCaller = ({ workspaceId, requestId, traceparent }: WorkspaceCaller): SystemCallContext => ({
  workspaceId,
  requestId,
  ...(traceparent === undefined ? {} : { traceparent }),
})

function outcomeOf(status: number | undefined): Outcome {
  if (status === undefined) return 'error'
  if (isUnauthorized(status)) return 'unauthorized'
  return status >= 200 && status < 300 ? 'ok' : 'error'
}
