import { JetStreamApiError, type StreamInfo } from '@nats-io/jetstream'
import type { Bus } from './bus.ts'
import { type EventStreamConfig, findMismatches, type StreamSettings, streamConfig } from './stream-config.ts'

/** Numbers of the broker's error list (nats-server, `server/errors.json`). */
const streamNotFound = 10059
const streamNameInUse = 10058

/**
 * Makes the stream of the bus's shard, or brings it to these settings; then reads back what the broker made of them.
 * For the migrator: replicas 1, 1 GiB and 7 days unless said otherwise.
 *
 * @throws BrokerAway; Error naming what the broker has other than it was told
 */
export async function ensureStream(bus: Bus, settings: Partial<StreamSettings> = {}): Promise<StreamInfo> {
  const config = streamConfig(bus.shard, { ...bus.jetstream.streamSettings, ...settings })
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
 * The stream of the bus's shard, made by the bus's settings where it is missing. One that is there keeps its sizes;
 * only what every consumer and relay relies on is checked.
 *
 * @throws BrokerAway; Error naming what the broker has other than is relied on
 */
export async function findOrCreateStream(bus: Bus): Promise<StreamInfo> {
  const config = streamConfig(bus.shard, bus.jetstream.streamSettings)
  const info = (await findStream(bus, config)) ?? (await addStream(bus, config))
  const { subjects, storage, retention, discard } = config
  requireConfig({ subjects, storage, retention, discard }, info)
  return info
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
    // Somebody else made it just now, with settings of their own.
    if (!(error instanceof JetStreamApiError) || error.code !== streamNameInUse) throw error
    return await bus.jetstream.whileConnected(manager.streams.info(config.name))
  }
}

function requireConfig(wanted: object, info: StreamInfo): void {
  const mismatches = findMismatches(wanted, info.config)
  if (mismatches.length > 0) throw new Error(`stream ${info.config.name}: ${mismatches.join('; ')}`)
}
