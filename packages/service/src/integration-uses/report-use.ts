import { integrationsInternal, type RequestOf } from '@wp/contracts'
import type { Log } from '@wp/runtime'
import type { InternalCalls, SystemCallContext } from '../calls/internal-calls.ts'

type UseReport = RequestOf<typeof integrationsInternal.reportUse>['body']

/**
 * Reports the result of a use to its integration, whose status shows rejected credentials. Never rejects: the next use
 * reports again.
 */
export async function reportIntegrationUse(
  { internal, log }: { internal: Pick<InternalCalls, 'callAsSystem'>; log: Pick<Log, 'warn'> },
  about: SystemCallContext,
  integrationId: string,
  report: UseReport,
): Promise<void> {
  const input = { params: { integration_id: integrationId }, body: report }
  await internal.callAsSystem(integrationsInternal.reportUse, about, input).catch((err: unknown) => {
    log.warn({ event: 'integration_report.failed', err, integrationId }, 'failed to report the use of an integration')
  })
}
