import {
  aiInternal,
  auditInternal,
  authInternal,
  billingInternal,
  dataInternal,
  integrationsInternal,
  type Operation,
  type QuotaUsage,
  type RequestCaller,
  type ServiceName,
  solutionsInternal,
  type systemUsage,
  type WorkspaceCaller,
  webhooksInternal,
} from '@wp/contracts'
import { readQuotaUsage } from '@wp/database'
import type { Context } from '../context.ts'
import { variableQuota } from '../store/quotas.ts'
import { collectMeters } from '../usage/collect-meters.ts'
import { collectUsage, type ReadUsage } from '../usage/collect-usage.ts'

/** Time limit for the answers of all services. */
const deadlineMs = 2_000

/** Reads every quota of the workspace from the service that counts it, and the meters from billing. */
export const usage: Operation<typeof systemUsage.usage, Context> = async (
  context,
  { request: _request, ...caller },
) => {
  const onError = (service: ServiceName, err: unknown) =>
    context.log.warn(
      { event: 'usage.service_unavailable', err, service },
      'failed to read the use that a service counts',
    )
  const [quotas, meters] = await Promise.all([
    collectUsage({ readers: createReaders(context, caller), deadlineMs, now: context.now(), onError }),
    collectMeters({
      read: () => context.internal.call(billingInternal.readMeterUsage, caller, nothing),
      deadlineMs,
      onError: (err) => onError('billing', err),
    }),
  ])
  return { quotas: quotas.quotas, meters: meters.meters, warnings: [...quotas.warnings, ...meters.warnings] }
}

const nothing = { params: {}, query: {}, body: undefined }

function createReaders({ database, internal }: Context, caller: RequestCaller<WorkspaceCaller>) {
  const reportOf = async (response: Promise<{ quotas: QuotaUsage[] }>) => (await response).quotas
  return {
    ai: () => reportOf(internal.call(aiInternal.readQuotaUsage, caller, nothing)),
    audit: () => reportOf(internal.call(auditInternal.readQuotaUsage, caller, nothing)),
    auth: () => reportOf(internal.call(authInternal.readQuotaUsage, caller, nothing)),
    data: () => reportOf(internal.call(dataInternal.readQuotaUsage, caller, nothing)),
    integrations: () => reportOf(internal.call(integrationsInternal.readQuotaUsage, caller, nothing)),
    solutions: () => reportOf(internal.call(solutionsInternal.readQuotaUsage, caller, nothing)),
    'webhook-delivery': () => reportOf(internal.call(webhooksInternal.readQuotaUsage, caller, nothing)),
    system: () => database.read(caller, (_db, query) => readQuotaUsage(query, caller.workspaceId, [variableQuota])),
  } satisfies Record<string, ReadUsage>
}
