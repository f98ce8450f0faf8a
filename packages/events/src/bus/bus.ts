import { type JetStreamClient, type JetStreamManager, jetstream, jetstreamManager } from '@nats-io/jetstream'
import { credsAuthenticator, type NodeConnectionOptions } from '@nats-io/transport-node'
import { type Log, waitAtMost } from '@wp/runtime'
import { BrokerUnavailable } from './broker-unavailable.ts'
import { maintainConnection } from './connection.ts'
import { createListeners } from './listeners.ts'
import type { StreamSettings } from './stream-config.ts'
import { inboxPrefix } from './subject.ts'
import { createSubscriptions, type Subscription } from './subscriptions.ts'
import { createWakes, type Wakes } from './wakes.ts'

export interface BusOptions {
  /** `host:port` or `nats://host:port`; several as a list or separated by commas. */
  servers: string | readonly string[]
  /** How the broker's operator sees this client. */
  name: string
  shard: string
  log: Log
  user?: string
  pass?: string
  /** The text of a credentials file. */
  creds?: string
  /** How the stream is made, should it be missing. One that is there is left as the migrator made it. */
  stream?: Partial<StreamSettings>
}

/** The broker as a process knows it. It may be away at any time, also from the start. */
export interface Bus extends Wakes {
  readonly shard: string
  readonly isConnected: boolean
  /** Says something, as JSON, to whoever listens now (core NATS). Nothing is kept; with the broker away it is lost. */
  publish(subject: string, data?: unknown): void
  /** Hears what is said on a subject, which may have wildcards. Holds over every reconnection. */
  subscribe(subject: string, handler: (data: unknown, subject: string) => void): Subscription
  /**
   * Calls the listener each time the broker is there, the first time included: what was said meanwhile was missed.
   * @returns a function that ends it
   */
  onConnect(listener: () => void): () => void
  /** Calls the listener each time the broker is lost. @returns a function that ends it */
  onDisconnect(listener: () => void): () => void
  readonly jetstream: JetStreamAccess
  /** Sends what is on its way and leaves the broker. */
  close(): Promise<void>
}

/** What relay and consumers use of the broker. */
export interface JetStreamAccess {
  readonly streamSettings: Partial<StreamSettings>
  /** @throws BrokerAway */
  broker(): Broker
  /** Waits for an answer; @throws BrokerAway as soon as the broker is lost, where the library would wait in vain */
  whileConnected<T>(answer: Promise<T>): Promise<T>
}

export interface Broker {
  client: JetStreamClient
  manager: JetStreamManager
  /** Another one each time the broker's process starts. */
  serverId: string
  /** Bytes of one message, headers included. */
  maxPayload: number
}

/**
 * Connects to the broker and stays connected for ever. Resolves after the first try, at the latest after a second,
 * whether or not the broker was there.
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
        return { ...clients, serverId: info.server_id, maxPayload: info.max_payload }
      },
      whileConnected: (answer) =>
        new Promise((resolve, reject) => {
          const removeListener = disconnectListeners.add(() => reject(new BrokerUnavailable()))
          answer.then(resolve, reject).finally(removeListener)
        }),
    },
    async close() {
      disconnectListeners.call()
      await connection.close()
    },
  }
}

function connectionOptions({ servers, name, user, pass, creds }: BusOptions): NodeConnectionOptions {
  return {
    servers: typeof servers === 'string' ? servers.split(',').map((server) => server.trim()) : [...servers],
    name,
    // Answers come to a place of its own, which no other user may hear.
    ...(user === undefined ? {} : { user, inboxPrefix: inboxPrefix(user) }),
    ...(pass === undefined ? {} : { pass }),
    ...(creds === undefined ? {} : { authenticator: credsAuthenticator(new TextEncoder().encode(creds)) }),
    timeout: 5_000,
    // For ever, also when credentials are refused: a rotation may be under way.
    maxReconnectAttempts: -1,
    ignoreAuthErrorAbort: true,
    reconnectTimeWait: 250,
    reconnectJitter: 250,
    // A broker that vanished without a word is noticed within half a minute.
    pingInterval: 10_000,
    maxPingOut: 2,
    noAsyncTraces: true,
  }
}
