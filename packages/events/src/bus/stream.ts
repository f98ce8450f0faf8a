import { JetStreamApiError, type StreamInfo } from '@nats-io/jetstream'
import type { Bus } from './bus.ts'
import { type EventStreamConfig, findMismatches, streamConfig } from './stream-config.ts'

/** JetStream API error codes (nats-server, `server/errors.json`). */
const streamNotFound = 10059
const streamNameInUse = 10058

/**
 * Returns the stream of the bus's shard, and creates it with the bus's settings if it is missing. An existing stream
 * keeps its limits; only the settings that relay and consumers depend on are verified.
 *
 * @throws BrokerUnavailable; Error naming the settings that differ
 */
export async function findOrCreateStream(bus: Bus): Promise<StreamInfo> {
  const config = wantedConfig(bus)
  const info = (await findStream(bus, config)) ?? (await addStream(bus, config))
  const { subjects, storage, retention, discard } = config
  const mismatches = findMismatches({ subjects, storage, retention, discard }, info.config)
  if (mismatches.length > 0) throw new Error(`stream ${info.config.name}: ${mismatches.join('; ')}`)
  return info
}

/**
 * Allows the stream of the bus's shard to accept batches if the broker supports them and an earlier release created the
 * stream without. Changes nothing else. For the migrator. Such a stream is not available after a downgrade of the
 * broker to 2.11.
 *
 * @throws BrokerUnavailable
 */
export async function allowAtomicBatches(bus: Bus): Promise<void> {
  const { config } = await findOrCreateStream(bus)
  const { manager, hasAtomicBatches } = bus.jetstream.broker()
  if (!hasAtomicBatches || config.allow_atomic) return
  await bus.jetstream.whileConnected(manager.streams.update(config.name, { ...config, allow_atomic: true }))
}

function wantedConfig(bus: Bus): EventStreamConfig {
  const config = streamConfig(bus.shard, bus.jetstream.streamSettings)
  return bus.jetstream.broker().hasAtomicBatches ? { ...config, allow_atomic: true } : config
}

async function findStream(bus: Bus, { name }: EventStreamConfig): Promise<StreamInfo | undefined> {
  try {
    return await bus.jetstream.whileConnected(bus.jetstream.broker().manager.streams.info(name))
  } catch (error) {
    if (error instanceof JetStreamApiError && error.code === streamNotFound) return undefined
    throw error
  }
}

async function addStream(bus: Bus, config: EventStreamConfig): Promise<StreamInfo> {
  const { manager } = bus.jetstream.broker()
  try {
    return await bus.jetstream.whileConnected(manager.streams.add(config))
  } catch (error) {
    // Another process has just created it.
    if (!(error instanceof JetStreamApiError) || error.code !== streamNameInUse) throw error
    return await bus.jetstream.whileConnected(manager.streams.info(config.name))
  }
}
