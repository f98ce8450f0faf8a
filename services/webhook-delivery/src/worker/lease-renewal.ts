import { createLoop, type Loop } from '@wp/runtime'
import type { Context } from '../context.ts'
import { renewLeases } from '../store/deliveries/leases.ts'
import type { InFlightAttempts } from './in-flight-attempts.ts'

/**
 * Creates the worker that extends the leases of attempts that take longer than half of their lease. A lease is longer
 * than the time limit of an attempt, but it also covers the wait for the start of the attempt and for the recording of
 * its result, which a busy process or database can delay. Without renewal, another worker would send the delivery
 * again.
 */
export function createLeaseRenewal(
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
