import type { Bus } from './bus/bus.ts'
import { findOrCreateStream } from './bus/stream.ts'
import { defaultAckWaitMs, ensureDurableConsumer } from './consumer/pull/durable-consumer.ts'

/**
 * Creates the stream of the bus's shard if it is missing, and creates or updates durable consumers. For the migrator:
 * at a broker with users, services may use their consumers but not create any. A consumer that a service created could
 * deliver to the subjects of other services.
 *
 * @param consumers filter subject by durable name
 * @param ackWaitMs the same as that of the service
 * @throws BrokerUnavailable; Error naming the settings that differ
 */
export async function provisionBroker(
  bus: Bus,
  consumers: ReadonlyMap<string, string>,
  ackWaitMs = defaultAckWaitMs,
): Promise<void> {
  await findOrCreateStream(bus)
  for (const [name, filter] of consumers) await ensureDurableConsumer(bus, { name, filter, ackWaitMs })
}
