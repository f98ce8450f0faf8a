import { notifications } from '@wp/contracts'
import { bindSurface, type Service } from '@wp/service'
import type { Context } from './context.ts'
import { deliveryQueues, digestQueue } from './delivery/queues.ts'
import { createFailureRecorder } from './delivery/record-failure.ts'
import { createEventConsumer, fanOutQueue } from './fan-out/consume-events.ts'
import { createFanOutHandler } from './fan-out/fan-out-event.ts'
import { createDigestHandler } from './mail/digest-handler.ts'
import { createEmailHandler } from './mail/email-handler.ts'
import * as operations from './operations/index.ts'
import { excessSchedule, retentionRules } from './retention.ts'
import { createSlackHandler } from './slack/slack-handler.ts'

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
    async close() {
      context.outbound.close()
      await bus.close()
      await database.close()
    },
  }
}
