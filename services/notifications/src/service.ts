import { notifications } from '@wp/contracts'
import type { Job } from '@wp/jobs'
import { bindSurface, type Service } from '@wp/service'
import type { Context } from './context.ts'
import { type DeliveryInput, deliveryQueues, digestQueue } from './delivery/queues.ts'
import { createEventConsumer, createFanOutHandler, fanOutQueue } from './fan-out/fan-out-event.ts'
import { createDigestHandler } from './mail/digest-handler.ts'
import { createEmailHandler } from './mail/email-handler.ts'
import * as operations from './operations/index.ts'
import { excessSchedule, retentionRules } from './retention.ts'
import { createSlackHandler } from './slack/slack-handler.ts'
import type { Tx } from './store/client.ts'
import { changeState, type DeliveryChannel } from './store/deliveries.ts'

/** Events whose members are notified at once in this process. */
const fanOutConcurrency = 4
const fanOutAttempts = 10
/** Mails, and Slack messages, in progress at once. */
const deliveryConcurrency = 8
/** With the pauses of the runner between them: about an hour. */
const deliveryAttempts = 20
/** Longer than the limit of one attempt, so that its result is recorded. */
const deliveryGraceMs = 25_000

export function createService(context: Context): Service {
  const { bus, config } = context
  const database = context.database.background
  const workerContext = { ...context, database }
  const leaseMs = config.JOB_LEASE_SECONDS * 1_000
  const deliveries = {
    leaseMs,
    concurrency: deliveryConcurrency,
    maxAttempts: deliveryAttempts,
    graceMs: deliveryGraceMs,
  }
  return {
    surfaces: [bindSurface(notifications, operations, context)],
    database,
    bus,
    workers: [createEventConsumer(workerContext)],
    retention: retentionRules,
    schedules: [excessSchedule(workerContext)],
    jobs: [
      {
        leaseMs,
        queue: fanOutQueue,
        concurrency: fanOutConcurrency,
        maxAttempts: fanOutAttempts,
        handle: createFanOutHandler(workerContext),
      },
      {
        ...deliveries,
        queue: deliveryQueues.email,
        handle: createEmailHandler(workerContext),
        onFailed: createFailureRecorder('email'),
      },
      {
        ...deliveries,
        queue: deliveryQueues.slack,
        handle: createSlackHandler(workerContext),
        onFailed: createFailureRecorder('slack'),
      },
      // The notifications of a digest that fails for good are in the next one.
      { ...deliveries, queue: digestQueue, handle: createDigestHandler(workerContext) },
    ],
    close: () => context.outbound.close(),
  }
}

/** Creates the function that ends the delivery of a job which has failed for good. */
export const createFailureRecorder =
  (channel: DeliveryChannel) =>
  async (tx: Tx, job: Job): Promise<void> => {
    const { notificationId } = job.input as DeliveryInput // written by enqueueDelivery alone
    const deliveries = [{ notificationId, channel }]
    await changeState(tx, deliveries, { from: 'pending', to: 'failed', reason: job.error?.message })
    // The result of an attempt was not recorded.
    await changeState(tx, deliveries, { from: 'sending', to: 'uncertain', reason: job.error?.message })
  }
