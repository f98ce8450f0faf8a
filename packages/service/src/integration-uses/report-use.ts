import { integrationsInternal, type RequestOf } from '@wp/contracts'
import type { Log } from '@wp/runtime'
import type { InternalCalls, SystemCallContext } from '../calls/internal-calls.ts'

type UseReport = RequestOf<typeof integrationsInternal.reportUse>['body']

/**
 * Reports the result of a use to its integration, whose status shows rejected credentials. Never rejects: the next use
 * reports again.
 * @param logged further fields of the log message of a failure
 */
export async function reportIntegrationUse(
  { internal, log }: { internal: Pick<InternalCalls, 'callAsSystem'>; log: Pick<Log, 'warn'> },
  about: SystemCallContext,
  integrationId: string,
  report: UseReport,
  logged: { job?: string } = {},
): Promise<void> {
  const input = { params: { integration_id: integrationId }, body: report }
  await internal.callAsSystem(integrationsInternal.reportUse, about, input).catch((err: unknown) => {
    const fields = { event: 'integration_report.failed', err, ...logged, integrationId }
    log.warn(fields, 'failed to report the use of an integration')
  })
}
