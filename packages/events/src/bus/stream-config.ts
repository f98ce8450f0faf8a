import type { StreamConfig } from '@nats-io/jetstream'
import { nanos } from '@nats-io/transport-node'
import { streamName, streamSubject } from './subject.ts'

export interface StreamSettings {
  /** Copies in the broker's cluster, 1 to 5. */
  replicas: number
  /** When so much is stored, new events are refused and wait in the outbox. */
  maxBytes: number
  maxAgeDays: number
}

const defaults: StreamSettings = { replicas: 1, maxBytes: 1024 ** 3, maxAgeDays: 7 }

export type EventStreamConfig = ReturnType<typeof streamConfig>

/** How the stream of a shard is made. Only settings that nats-server 2.9 knows. */
export function streamConfig(shard: string, settings: Partial<StreamSettings> = {}) {
  const { replicas, maxBytes, maxAgeDays } = { ...defaults, ...settings }
  return {
    name: streamName(shard),
    subjects: [streamSubject(shard)],
    storage: 'file',
    retention: 'limits',
    // Refusing the newest keeps it in the outbox; discarding the oldest would lose it to consumers that are behind.
    discard: 'new',
    max_age: nanos(maxAgeDays * 86_400_000),
    max_bytes: maxBytes,
    duplicate_window: nanos(600_000),
    num_replicas: replicas,
  } satisfies Partial<StreamConfig>
}

/** Names what the broker, which ignores silently what it does not know, has other than it was told. */
export function findMismatches(expected: object, actual: object): string[] {
  const actualConfig: Record<string, unknown> = { ...actual }
  return Object.entries(expected)
    .filter(([name, value]) => JSON.stringify(actualConfig[name]) !== JSON.stringify(value))
    .map(([name, value]) => `${name} is ${JSON.stringify(actualConfig[name])} instead of ${JSON.stringify(value)}`)
}
