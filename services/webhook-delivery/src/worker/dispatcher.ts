import { createLoop, type Loop, pause, type Worker } from '@wp/runtime'
import type { Context } from '../context.ts'
import { chooseForFreeSlots, createClaimPolicy, type SlotPolicy } from '../delivery/claim-policy.ts'
import { replayQueue } from '../delivery/replay.ts'
import type { FreeSlots } from '../fan-out/lease-deliveries.ts'
import { type ClaimResult, claimDueDeliveries } from '../store/deliveries/claim.ts'
import type { ClaimedDelivery } from '../store/deliveries/claim-rows.ts'
import { renewLeases } from '../store/deliveries/leases.ts'
import { findMsUntilReady } from '../store/deliveries/ready-endpoints.ts'
import { destinationQueue } from '../store/destinations/progress.ts'
import { deliveryQueue } from '../store/endpoints/due-marks.ts'
import { attemptDelivery } from './attempt/attempt-delivery.ts'
import { createAttemptJournal } from './attempt/attempt-journal.ts'
import { createSendWindows } from './attempt/send-window.ts'
import { createClaimLoop } from './claim-loop.ts'
import { createInFlightAttempts, type InFlightAttempts } from './in-flight-attempts.ts'
import { createLiveness } from './liveness.ts'
import { createRecorder, type WakeHandlers } from './recorder.ts'
import { recoverAttempts } from './recover-attempts.ts'

/** Limit of one claim: large enough to be worth a transaction, small enough to start while the first attempts end. */
const maxClaimSize = 200

/** With so many attempts in flight a claim waits briefly, so that it serves several ended attempts at once. */
const batchingThreshold = 64
const batchingDelayMs = 5

interface Dispatcher extends Worker, FreeSlots {
  /** Beginning of the tokens of all leases of this process. */
  leaseOwner: string
}

/**
 * Creates the worker that claims due deliveries, sends them and records the results. Replicas share the work. While no
 * due delivery waits for a slot, new deliveries may take the free ones without a claim. Longer than most functions: its
 * steps share the slots.
 */
export function createDispatcher(context: Context, wake: Omit<WakeHandlers, 'dispatcher'>): Dispatcher {
  const { database, bus, log, metrics, settings } = context
  const { concurrency, leaseSeconds, pollMs } = settings
  const stopping = new AbortController()
  const loop = createClaimLoop({
    claim,
    findMsUntilReady: (filter) => findMsUntilReady(database.worker, filter),
    pollMs,
    log,
  })
  const wakeDispatcher = () => loop.handle('woken')
  const recorder = createRecorder(context, { ...wake, dispatcher: wakeDispatcher }, stopping.signal)
  const sendInWindow = createSendWindows()
  const inFlight = createInFlightAttempts({
    async deliver(claimed) {
      const ended = await sendInWindow(claimed.webhookId, () => attemptDelivery(context, claimed))
      if (ended === undefined) return
      journal.add(ended)
      await recorder.record(ended)
      journal.remove(ended)
    },
    onEnded: () => loop.handle('attempt_ended'),
    log,
    metrics,
  })
  const leaseRenewal = createLeaseRenewal(context, inFlight)
  const liveness = createLiveness(
    context,
    () => recoverAttempts(context, recorder),
    () => {
      wakeDispatcher()
      for (const queue of [replayQueue, destinationQueue]) bus.wake('webhook-delivery', queue)
    },
  )
  const journal = createAttemptJournal(settings.journalFolder, String(liveness.workerId), log)
  let unsubscribeWake = () => {}
  let isRunning = false
  let isShortOfSlots = false
  /** The policy of the claim in progress. */
  let currentPolicy: SlotPolicy | undefined

  function reserve(deliveries: readonly ClaimedDelivery[]): ClaimedDelivery[] {
    const holders = [...inFlight.deliveries(), ...(currentPolicy?.planned() ?? [])]
    const chosen = chooseForFreeSlots(deliveries, holders, concurrency)
    for (const delivery of chosen) currentPolicy?.add(delivery)
    inFlight.reserve(chosen)
    return chosen
  }

  async function claim(): Promise<ClaimResult | undefined> {
    if (inFlight.size >= batchingThreshold) await pause(batchingDelayMs)
    if (inFlight.size >= concurrency) return undefined
    const claimedAtMs = performance.now()
    const policy = createClaimPolicy(inFlight.deliveries(), { concurrency, maxClaimSize })
    const leaseToken = liveness.newLeaseToken()
    currentPolicy = policy
    try {
      const result = await claimDueDeliveries(database.worker, { policy, leaseToken, leaseSeconds })
      isShortOfSlots = policy.isShortOfSlots()
      const started = inFlight.start(result.claimed, claimedAtMs)
      currentPolicy = undefined // from here on the deliveries themselves hold their slots
      await started
      return result
    } finally {
      currentPolicy = undefined
    }
  }

  return {
    name: loop.name,
    leaseOwner: liveness.leaseOwner,
    newLeaseToken: () => (isRunning && !isShortOfSlots ? liveness.newLeaseToken() : undefined),
    reserve,
    send: (deliveries) => void inFlight.start(deliveries, performance.now()),
    release: inFlight.release,
    async start() {
      unsubscribeWake = bus.onWake('webhook-delivery', deliveryQueue, wakeDispatcher)
      await liveness.start()
      await leaseRenewal.start()
      await loop.start()
      isRunning = true
    },
    async stop() {
      unsubscribeWake()
      isRunning = false
      stopping.abort()
      await loop.stop()
      await inFlight.untilEnded()
      await recorder.stop()
      await leaseRenewal.stop()
      await liveness.stop()
      journal.close()
    },
  }
}

/**
 * Creates the worker that extends the leases of attempts that take longer than half of their lease. A lease is longer
 * than the time limit of an attempt, but it also covers the wait for the start of the attempt and for the recording of
 * its result, which a busy process or database can delay. Without renewal, another worker would send the delivery
 * again.
 */
function createLeaseRenewal(
  { database, log, settings }: Pick<Context, 'database' | 'log' | 'settings'>,
  inFlight: Pick<InFlightAttempts, 'claimedBefore'>,
): Loop {
  const { leaseSeconds } = settings
  const leaseMs = leaseSeconds * 1000

  async function pass(): Promise<'idle'> {
    const expiring = inFlight.claimedBefore(leaseMs / 2)
    if (expiring.length > 0) await renewLeases(database.worker, expiring, leaseSeconds)
    return 'idle'
  }
  return createLoop({ name: 'delivery lease renewal', pass, pollMs: leaseMs / 5, log })
}
