import { type ConsumerConfig, type ConsumerInfo, JetStreamApiError } from '@nats-io/jetstream'
import { nanos } from '@nats-io/transport-node'
import type { Bus } from '../bus/bus.ts'
import { findOrCreateStream } from '../bus/stream.ts'
import { findMismatches } from '../bus/stream-config.ts'
import { streamName } from '../bus/subject.ts'

export interface DurableConsumer {
  name: string
  filter: string
  /** After so long without acknowledgement the broker delivers an event again. */
  ackWaitMs: number
}

/** The broker's error when a consumer exists with another configuration: from 2.10 on, earlier ones update it. */
const consumerExistsCode = 10148

/** How a consumer is made. Only settings that nats-server 2.9 knows. */
export function durableConfig({ name, filter, ackWaitMs }: DurableConsumer) {
  return {
    durable_name: name,
    filter_subject: filter,
    deliver_policy: 'all',
    ack_policy: 'explicit',
    ack_wait: nanos(ackWaitMs),
    // A finite number would drop an event silently; tries are counted in the database.
    max_deliver: -1,
    max_ack_pending: 256,
  } satisfies Partial<ConsumerConfig>
}

/**
 * Makes the consumer, and its stream, where they are missing; brings one that is there to this configuration; reads
 * back what the broker made of it.
 *
 * @returns the consumer, and since when there is the stream
 * @throws BrokerAway; Error naming what the broker has other than it was told
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
