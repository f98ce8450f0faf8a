import { type JetStreamClient, type JetStreamManager, jetstream, jetstreamManager } from '@nats-io/jetstream'
import type { NodeConnectionOptions } from '@nats-io/transport-node'
import { type Log, waitAtMost } from '@wp/runtime'
import { BrokerUnavailable } from '../infrastructure-error.ts'
import { maintainConnection } from './connection.ts'
import type { StreamSettings } from './stream-config.ts'
import { inboxPrefix } from './subject.ts'
import { createListeners, createSubscriptions, type Subscription } from './subscriptions.ts'
import { createWakes, type Wakes } from './wakes.ts'

export interface BusOptions {
  /** `host:port` or `nats://host:port`; several as a list or comma-separated. */
  servers: string | readonly string[]
  /** Client name shown in the broker's monitoring. */
  name: string
  shard: string
  log: Log
  user?: string
  pass?: string
  /** Settings of the stream if it has to be created. An existing stream keeps those set by the migrator. */
  stream?: Partial<StreamSettings>
}

/** Connection of a process to the broker, which may be unavailable at any time, also at the start. */
export interface Bus extends Wakes {
  readonly shard: string
  readonly isConnected: boolean
  /** Publishes a JSON message over core NATS. Not stored: lost while the broker is unavailable. */
  publish(subject: string, data?: unknown): void
  /** Subscribes to a subject, which may contain wildcards. The subscription survives reconnections. */
  subscribe(subject: string, handler: (data: unknown, subject: string) => void): Subscription
  /**
   * Calls the listener on every connection, including the first. Core NATS messages published before it were missed.
   *
   * @returns a function that removes the listener
   */
  onConnect(listener: () => void): () => void
  /** Calls the listener whenever the connection is lost. @returns a function that removes the listener */
  onDisconnect(listener: () => void): () => void
  readonly jetstream: JetStreamAccess
  /** Flushes pending messages and closes the connection. */
  close(): Promise<void>
}

/** Access to JetStream for relay and consumers. */
export interface JetStreamAccess {
  readonly streamSettings: Partial<StreamSettings>
  /** @throws BrokerUnavailable */
  broker(): Broker
  /**
   * Returns the response; rejects with BrokerUnavailable once the connection is lost, while the library keeps waiting.
   */
  whileConnected<T>(response: Promise<T>): Promise<T>
}

export interface Broker {
  client: JetStreamClient
  manager: JetStreamManager
  /** Changes with every start of the broker process. */
  serverId: string
  /** Maximum size of a message in bytes, including headers. */
  maxPayload: number
  /** True if streams can accept several messages as one batch (nats-server 2.12). */
  hasAtomicBatches: boolean
}

/**
 * Connects to the broker and reconnects until closed. Resolves after the first attempt, successful or not, at the
 * latest after one second.
 */
export async function connectBus(options: BusOptions): Promise<Bus> {
  const { shard, log } = options
  const connectListeners = createListeners(log)
  const disconnectListeners = createListeners(log)
  const subscriptions = createSubscriptions(log)
  const firstAttempt = Promise.withResolvers<void>()
  let clients: Pick<Broker, 'client' | 'manager'> | undefined

  const connection = maintainConnection(connectionOptions(options), log, {
    firstAttemptEnded: firstAttempt.resolve,
    async connectionOpened(opened) {
      clients = { client: jetstream(opened), manager: await jetstreamManager(opened, { checkAPI: false }) }
      subscriptions.resubscribe(opened)
    },
    connected: connectListeners.call,
    disconnected: disconnectListeners.call,
  })
  const publish: Bus['publish'] = (subject, data) =>
    connection.current()?.publish(subject, data === undefined ? '' : JSON.stringify(data))
  const subscribe: Bus['subscribe'] = (subject, handler) => subscriptions.add(subject, handler, connection.current())

  await waitAtMost(1_000, firstAttempt.promise)
  return {
    shard,
    get isConnected() {
      return connection.current() !== undefined
    },
    publish,
    subscribe,
    onConnect: connectListeners.add,
    onDisconnect: disconnectListeners.add,
    ...createWakes(shard, { publish, subscribe }, log),
    jetstream: {
      streamSettings: options.stream ?? {},
      broker() {
        const info = connection.current()?.info
        if (clients === undefined || info === undefined) throw new BrokerUnavailable()
        return {
          ...clients,
          serverId: info.server_id,
          maxPayload: info.max_payload,
          hasAtomicBatches: isAtLeast(info.version, 2, 12),
        }
      },
      whileConnected: (response) =>
        new Promise((resolve, reject) => {
          const removeListener = disconnectListeners.add(() => reject(new BrokerUnavailable()))
          response.then(resolve, reject).finally(removeListener)
        }),
    },
    async close() {
      disconnectListeners.call()
      await connection.close()
    },
  }
}

/** Returns true for a version such as `2.12.15` that is the given one or newer. */
function isAtLeast(version: string, major: number, minor: number): boolean {
  const [actualMajor = 0, actualMinor = 0] = version.split('.').map(Number)
  return actualMajor > major || (actualMajor === major && actualMinor >= minor)
}

function connectionOptions({ servers, name, user, pass }: BusOptions): NodeConnectionOptions {
  return {
    servers: typeof servers === 'string' ? servers.split(',').map((server) => server.trim()) : [...servers],
    name,
    // Responses use a private inbox prefix, to which no other user may subscribe.
    ...(user === undefined ? {} : { user, inboxPrefix: inboxPrefix(user) }),
    ...(pass === undefined ? {} : { pass }),
    timeout: 5_000,
    // Retry forever, also when credentials are rejected: a rotation may be in progress.
    maxReconnectAttempts: -1,
    ignoreAuthErrorAbort: true,
    reconnectTimeWait: 250,
    reconnectJitter: 250,
    // Detects a silently lost connection within 30 s.
    pingInterval: 10_000,
    maxPingOut: 2,
    noAsyncTraces: true,
  }
}
