import type { ConsumerInfo } from '@nats-io/jetstream'
import type { Bus } from '../bus/bus.ts'
import { streamName } from '../bus/subject.ts'

/** Stream position up to which a consumer has processed every event. */
export interface Watermark {
  /** Creation time of the stream as the broker reports it. A recreated stream restarts at sequence 1. */
  streamCreatedAt: string
  sequence: number
  /** True if the stream has no events above the sequence that this consumer has not acknowledged. */
  isCaughtUp: boolean
}

/** Returns the ack floor of a durable consumer: the stream sequence up to which all messages are acknowledged. */
export async function readAckFloor(bus: Bus, consumer: string): Promise<number> {
  return (await readConsumerInfo(bus, consumer)).ack_floor.stream_seq
}

export async function readWatermark(bus: Bus, consumer: string): Promise<Watermark> {
  // Read the stream first: if it is recreated in between, the reported floor is too low but never too high.
  const { streams } = bus.jetstream.broker().manager
  const { created } = await bus.jetstream.whileConnected(streams.info(streamName(bus.shard)))
  const { ack_floor, num_pending, num_ack_pending } = await readConsumerInfo(bus, consumer)
  const isCaughtUp = num_pending === 0 && num_ack_pending === 0
  return { streamCreatedAt: created, sequence: ack_floor.stream_seq, isCaughtUp }
}

function readConsumerInfo(bus: Bus, consumer: string): Promise<ConsumerInfo> {
  const { consumers } = bus.jetstream.broker().manager
  return bus.jetstream.whileConnected(consumers.info(streamName(bus.shard), consumer))
}
