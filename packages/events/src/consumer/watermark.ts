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

export async function readWatermark(bus: Bus, consumer: string): Promise<Watermark> {
  // Read the stream first: if it is recreated in between, the reported floor is too low but never too high.
  const { streams, consumers } = bus.jetstream.broker().manager
  const stream = streamName(bus.shard)
  const { created } = await bus.jetstream.whileConnected(streams.info(stream))
  const { ack_floor, num_pending, num_ack_pending } = await bus.jetstream.whileConnected(
    consumers.info(stream, consumer),
  )
  const isCaughtUp = num_pending === 0 && num_ack_pending === 0
  return { streamCreatedAt: created, sequence: ack_floor.stream_seq, isCaughtUp }
}
