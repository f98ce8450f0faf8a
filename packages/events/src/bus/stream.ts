import { JetStreamApiError, type StreamInfo } from '@nats-io/jetstream'
import type { Bus } from './bus.ts'
import { type EventStreamConfig, findMismatches, type StreamSettings, streamConfig } from './stream-config.ts'

/** JetStream API error codes (nats-server, `server/errors.json`). */
const streamNotFound = 10059
const streamNameInUse = 10058

/**
 * Creates the stream of the bus's shard, or updates it to these settings, and verifies the configuration that the
 * broker reports. For the migrator. Defaults: 1 replica, 1 GiB, 7 days.
 *
 * @throws BrokerUnavailable; Error naming the settings that differ
 */
export async function ensureStream(bus: Bus, settings: Partial<StreamSettings> = {}): Promise<StreamInfo> {
  const config = wantedConfig(bus, settings)
  const found = await findStream(bus, config)
  const { manager } = bus.jetstream.broker()
  const info =
    found !== undefined && findMismatches(config, found.config).length === 0
      ? found
      : await bus.jetstream.whileConnected(
          found === undefined ? manager.streams.add(config) : manager.streams.update(config.name, config),
        )
  requireConfig(config, info)
  return info
}

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
  requireConfig({ subjects, storage, retention, discard }, info)
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

function wantedConfig(bus: Bus, settings: Partial<StreamSettings> = {}): EventStreamConfig {
  const config = streamConfig(bus.shard, { ...bus.jetstream.streamSettings, ...settings })
  // An older broker would ignore the setting, which `ensureStream` would report as a mismatch.
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

function requireConfig(wanted: object, info: StreamInfo): void {
  const mismatches = findMismatches(wanted, info.config)
  if (mismatches.length > 0) throw new Error(`stream ${info.config.name}: ${mismatches.join('; ')}`)
}
