import { type ConsumerConfig, type ConsumerInfo, JetStreamApiError } from '@nats-io/jetstream'
import { nanos } from '@nats-io/transport-node'
import type { Bus } from '../../bus/bus.ts'
import { findOrCreateStream } from '../../bus/stream.ts'
import { findMismatches } from '../../bus/stream-config.ts'
import { streamName } from '../../bus/subject.ts'

export interface DurableConsumer {
  name: string
  filter: string
  /** Time after which the broker redelivers an unacknowledged message. */
  ackWaitMs: number
}

/** Error of nats-server 2.10 and later for a consumer with another configuration; earlier versions update it. */
const consumerExistsCode = 10148
const consumerNotFoundCode = 10014

/** Time after which the broker redelivers an unacknowledged message, unless a consumer sets another. */
export const defaultAckWaitMs = 6_000

/** Unacknowledged messages of a consumer at the broker, in all replicas together. */
export const maxAckPending = 256

/** Returns the configuration of a durable consumer. Uses only settings supported by nats-server 2.9. */
export function durableConfig({ name, filter, ackWaitMs }: DurableConsumer) {
  return {
    durable_name: name,
    filter_subject: filter,
    deliver_policy: 'all',
    ack_policy: 'explicit',
    ack_wait: nanos(ackWaitMs),
    // With a finite number the broker would drop events silently; attempts are counted in the database instead.
    max_deliver: -1,
    max_ack_pending: maxAckPending,
  } satisfies Partial<ConsumerConfig>
}

/**
 * Returns the consumer if it has this configuration. Otherwise creates it and its stream, or updates it, and verifies
 * the configuration that the broker reports. At a broker with users, only the migrator may create and update.
 *
 * @returns the consumer, and the creation time of its stream
 * @throws BrokerUnavailable; Error naming the settings that differ, or the permission that is missing
 */
export async function ensureDurableConsumer(
  bus: Bus,
  durable: DurableConsumer,
): Promise<{ consumer: ConsumerInfo; streamCreatedAt: string }> {
  const { created: streamCreatedAt } = await findOrCreateStream(bus)
  const config = durableConfig(durable)
  const found = await findConsumer(bus, durable.name)
  if (found !== undefined && findMismatches(config, found.config).length === 0)
    return { consumer: found, streamCreatedAt }
  const info = await upsertConsumer(bus, durable.name, config)
  const mismatches = findMismatches(config, info.config)
  if (mismatches.length > 0) throw new Error(`consumer ${durable.name}: ${mismatches.join('; ')}`)
  return { consumer: info, streamCreatedAt }
}

async function findConsumer(bus: Bus, name: string): Promise<ConsumerInfo | undefined> {
  const { consumers } = bus.jetstream.broker().manager
  try {
    return await bus.jetstream.whileConnected(consumers.info(streamName(bus.shard), name))
  } catch (error) {
    if (error instanceof JetStreamApiError && error.code === consumerNotFoundCode) return undefined
    throw error
  }
}

function upsertConsumer(bus: Bus, name: string, config: ReturnType<typeof durableConfig>): Promise<ConsumerInfo> {
  const { consumers } = bus.jetstream.broker().manager
  const stream = streamName(bus.shard)
  return bus.jetstream.whileConnected(
    consumers.add(stream, config).catch((error: unknown) => {
      if (!(error instanceof JetStreamApiError) || error.code !== consumerExistsCode) throw error
      return consumers.update(stream, name, config)
    }),
  )
}
