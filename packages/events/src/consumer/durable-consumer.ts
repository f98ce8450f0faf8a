import { type ConsumerConfig, type ConsumerInfo, JetStreamApiError } from '@nats-io/jetstream'
import { nanos } from '@nats-io/transport-node'
import type { Bus } from '../bus/bus.ts'
import { findOrCreateStream } from '../bus/stream.ts'
import { findMismatches } from '../bus/stream-config.ts'
import { streamName } from '../bus/subject.ts'

export interface DurableConsumer {
  name: string
  filter: string
  /** Time after which the broker redelivers an unacknowledged message. */
  ackWaitMs: number
}

/** Error of nats-server 2.10 and later for a consumer with another configuration; earlier versions update it. */
const consumerExistsCode = 10148

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
    max_ack_pending: 256,
  } satisfies Partial<ConsumerConfig>
}

/**
 * Creates the consumer and its stream if they are missing, updates an existing consumer to this configuration, and
 * verifies the configuration that the broker reports.
 *
 * @returns the consumer, and the creation time of its stream
 * @throws BrokerUnavailable; Error naming the settings that differ
 */
export async function ensureDurableConsumer(
  bus: Bus,
  durable: DurableConsumer,
): Promise<{ consumer: ConsumerInfo; streamCreatedAt: string }> {
  const { created: streamCreatedAt } = await findOrCreateStream(bus)
  const config = durableConfig(durable)
  const { consumers } = bus.jetstream.broker().manager
  const stream = streamName(bus.shard)
  const info = await bus.jetstream.whileConnected(
    consumers.add(stream, config).catch((error: unknown) => {
      if (!(error instanceof JetStreamApiError) || error.code !== consumerExistsCode) throw error
      return consumers.update(stream, durable.name, config)
    }),
  )
  const mismatches = findMismatches(config, info.config)
  if (mismatches.length > 0) throw new Error(`consumer ${durable.name}: ${mismatches.join('; ')}`)
  return { consumer: info, streamCreatedAt }
}
