import { eventDestinations, webhookPortalLinks, webhookReceivers, webhooks, webhooksInternal } from '@wp/contracts'
import type { Schedule } from '@wp/jobs/background'
import { bindSurface, createCallerResolver, type Service } from '@wp/service'
import { authenticationBinding } from './authentication/authentication.ts'
import type { Context } from './context.ts'
import { type Control, replayQueue, runReplay } from './delivery/replay.ts'
import { destinationBinding } from './destinations/config-secrets.ts'
import { createDestinationDispatcher } from './destinations/dispatch-destinations.ts'
import { recordInterruption } from './destinations/finish-failed.ts'
import { writeDestination } from './destinations/write-destination.ts'
import { createFanOut } from './fan-out/fan-out.ts'
import * as operations from './operations/index.ts'
import type { Tx } from './store/client.ts'
import { destinationQueue, stopDestinations } from './store/destinations/progress.ts'
import { sealedDestinations } from './store/destinations/sealed-destinations.ts'
import { portalLinkRetention } from './store/portal-links.ts'
import { countBlockedEndpoints, countDueDeliveries } from './store/queue-counts.ts'
import { receiverRetention } from './store/receivers.ts'
import { retentionRules } from './store/retention.ts'
import { stopSubscriptions } from './store/subscriptions/disable-subscriptions.ts'
import { sealedSubscriptions } from './store/subscriptions/sealed-subscriptions.ts'
import { headerBinding } from './subscriptions/custom-headers.ts'
import { createPendingActionsWorker } from './subscriptions/disable.ts'
import { secretBinding } from './subscriptions/secrets.ts'
import { createDispatcher } from './worker/dispatcher.ts'
import { createOrderedDelivery } from './worker/ordered-delivery.ts'
import { createSessionEndWorker, sessionEndSchedule } from './worker/session-end.ts'
import { usageReportSchedule } from './worker/usage-reporter.ts'

/** Replays at once per process. One workspace has one of them while others wait. */
const replaySlots = 4
/** Event destinations written to at once per process, a quarter of them of one workspace while others wait. */
const destinationSlots = 8

/** Creates the service. Longer than most functions: it lists all that the service does. */
export function createService(context: Context): Service {
  const { bus, outbound, sealer } = context
  const database = context.database.background
  const workerContext = { ...context, database }
  const pendingActions = createPendingActionsWorker(workerContext)
  const dispatcher = createDispatcher(workerContext, {
    pendingActions: pendingActions.wake,
    orderedDelivery: () => orderedDelivery.wake(),
  })
  const fanOut = createFanOut(workerContext, dispatcher)
  const orderedDelivery = createOrderedDelivery(workerContext, fanOut)
  return {
    surfaces: [
      bindSurface(webhooks, operations, context),
      bindSurface(webhookReceivers, operations, context),
      bindSurface(webhookPortalLinks, operations, context),
      bindSurface(eventDestinations, operations, context),
      bindSurface(webhooksInternal, operations, context),
    ],
    database,
    bus,
    sealing: {
      sealer,
      stores: [
        sealedSubscriptions(database.worker, {
          secret: secretBinding,
          header: headerBinding,
          authentication: authenticationBinding,
        }),
        sealedDestinations(database.worker, destinationBinding),
      ],
    },
    workspaceDeletion: {
      async onStarted({ query }, workspaceId) {
        await stopSubscriptions(query, workspaceId)
        await stopDestinations(query, workspaceId)
      },
    },
    jobs: [
      {
        queue: replayQueue,
        concurrency: replaySlots,
        maxAttempts: 5,
        leaseOwner: dispatcher.leaseOwner,
        resolveCaller: createCallerResolver(context.internal),
        handle: (job, control: Control) => runReplay(workerContext, job, control),
      },
      {
        queue: destinationQueue,
        concurrency: destinationSlots,
        handle: (job, control: Control) => writeDestination(workerContext, job, control),
        onFailed: (tx: Tx, job) => recordInterruption(workerContext, tx, job),
        leaseMs: context.settings.leaseSeconds * 1000,
        leaseOwner: dispatcher.leaseOwner,
      },
    ],
    retention: [...retentionRules(context.settings.retentionDays), receiverRetention, portalLinkRetention],
    schedules: [
      queueGaugesSchedule(workerContext),
      usageReportSchedule(workerContext),
      sessionEndSchedule(workerContext),
    ],
    workers: [
      ...[fanOut, dispatcher, orderedDelivery, pendingActions],
      createSessionEndWorker(workerContext),
      createDestinationDispatcher(workerContext, fanOut),
    ],
    close: () => outbound.close(),
  }
}

/** Returns the schedule that measures due deliveries, and endpoints that are held or disabled with deliveries due. */
function queueGaugesSchedule({ database, metrics }: Pick<Context, 'database' | 'metrics'>): Schedule {
  async function pass(): Promise<'idle'> {
    metrics.gauge('webhook_deliveries_due', await countDueDeliveries(database.worker))
    const { held, disabled } = await countBlockedEndpoints(database.worker)
    metrics.gauge('webhook_endpoints_held', held, { by: 'breaker' })
    metrics.gauge('webhook_endpoints_held', disabled, { by: 'disabled' })
    return 'idle'
  }
  return { name: 'delivery queue gauges', everyMs: 15_000, pass }
}
