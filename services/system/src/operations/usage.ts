import {
  aiInternal,
  auditInternal,
  authInternal,
  billingInternal,
  dataInternal,
  integrationsInternal,
  type MeterEntry,
  meterSources,
  type quotaUsageEndpoint,
  type RequestCaller,
  type ServiceName,
  solutionsInternal,
  type WorkspaceCaller,
  webhooksInternal,
} from '@wp/contracts'
import { readQuotaUsage } from '@wp/database'
import { withTimeout } from '@wp/runtime'
import { collectUsage, type ReadUsage } from '../collect-usage.ts'
import type { Context, Operation } from '../context.ts'
import { variableQuota } from '../store/variables.ts'

/** Time limit for the answers of all services. */
const deadlineMs = 2_000

/** Reads every quota of the workspace from the service that counts it, and the meters from billing. */
export const usage: Operation<'usage'> = async (context, { request: _request, ...caller }) => {
  const onError = (service: ServiceName, err: unknown) =>
    context.log.warn(
      { event: 'usage.service_unavailable', err, service },
      'failed to read the use that a service counts',
    )
  const [quotas, meters] = await Promise.all([
    collectUsage({ readers: createReaders(context, caller), deadlineMs, now: context.now(), onError }),
    collectMeters(context, caller, (err) => onError('billing', err)),
  ])
  return { quotas: quotas.quotas, meters: meters.meters, warnings: [...quotas.warnings, ...meters.warnings] }
}

/** Reads the use of every meter in the current period. Empty, with a warning, if billing does not answer. */
async function collectMeters(
  { internal }: Context,
  caller: RequestCaller<WorkspaceCaller>,
  onError: (error: unknown) => void,
): Promise<{ meters: MeterEntry[]; warnings: string[] }> {
  try {
    const { period, meters } = await withTimeout(
      deadlineMs,
      internal.callForCaller(caller, 'workspace:read', billingInternal.readMeterUsage, nothing),
      () => new Error(`no answer within ${deadlineMs} ms`),
    )
    const entries = meters.map(({ meter, quantity, included, percent, at_limit: action }) => ({
      meter,
      service: meterSources[meter],
      period,
      quantity,
      included,
      percent,
      action,
    }))
    return { meters: entries, warnings: [] }
  } catch (error) {
    onError(error)
    return { meters: [], warnings: ['The billing service did not answer; the use of the meters is unknown'] }
  }
}

const nothing = { params: {}, query: {}, body: undefined }

type QuotaUsageEndpoint = ReturnType<typeof quotaUsageEndpoint<string, ServiceName>>

function createReaders({ database, internal }: Context, caller: RequestCaller<WorkspaceCaller>) {
  const read = async (endpoint: QuotaUsageEndpoint) =>
    (await internal.callForCaller(caller, 'workspace:read', endpoint, nothing)).quotas
  return {
    ai: () => read(aiInternal.readQuotaUsage),
    audit: () => read(auditInternal.readQuotaUsage),
    auth: () => read(authInternal.readQuotaUsage),
    data: () => read(dataInternal.readQuotaUsage),
    integrations: () => read(integrationsInternal.readQuotaUsage),
    solutions: () => read(solutionsInternal.readQuotaUsage),
    'webhook-delivery': () => read(webhooksInternal.readQuotaUsage),
    system: () => database.read(caller, (_db, query) => readQuotaUsage(query, caller.workspaceId, [variableQuota])),
  } satisfies Record<string, ReadUsage>
}
