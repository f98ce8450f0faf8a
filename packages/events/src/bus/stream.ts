import { JetStreamApiError, type StreamConfig, type StreamInfo } from '@nats-io/jetstream'
import { nanos } from '@nats-io/transport-node'
import type { Bus } from './bus.ts'
import { streamName, streamSubject } from './subject.ts'

const maxAgeDays = 7
const defaults: StreamSettings = { replicas: 1, maxBytes: 1024 ** 3 }

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

export interface StreamSettings {
  /** Number of replicas in the broker cluster, 1 to 5. */
  replicas: number
  /** Size in bytes at which the stream rejects new events, which then wait in the outbox. */
  maxBytes: number
}

type EventStreamConfig = ReturnType<typeof streamConfig> & Pick<Partial<StreamConfig>, 'allow_atomic'>

/** Returns the configuration of a shard's stream. Uses only settings supported by nats-server 2.9. */
export function streamConfig(shard: string, settings: Partial<StreamSettings> = {}) {
  const { replicas, maxBytes } = { ...defaults, ...settings }
  return {
    name: streamName(shard),
    subjects: [streamSubject(shard)],
    storage: 'file',
    retention: 'limits',
    // A rejected new event stays in the outbox; discarding the oldest would lose it for consumers that are behind.
    discard: 'new',
    max_age: nanos(maxAgeDays * 86_400_000),
    max_bytes: maxBytes,
    duplicate_window: nanos(600_000),
    num_replicas: replicas,
  } satisfies Partial<StreamConfig>
}

/** Returns the settings that differ. The broker silently ignores settings it does not support. */
export function findMismatches(expected: object, actual: object): string[] {
  const actualConfig: Record<string, unknown> = { ...actual }
  return Object.entries(expected)
    .filter(([name, value]) => JSON.stringify(actualConfig[name]) !== JSON.stringify(value))
    .map(([name, value]) => `${name} is ${JSON.stringify(actualConfig[name])} instead of ${JSON.stringify(value)}`)
}
