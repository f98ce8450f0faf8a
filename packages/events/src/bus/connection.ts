import { type ConnectionOptions, connect, type NatsConnection } from '@nats-io/transport-node'
import { backoffMs, type Log, pause, waitAtMost } from '@wp/runtime'

export interface BrokerConnection {
  /** The connection; undefined while the broker is unavailable. */
  current(): NatsConnection | undefined
  close(): Promise<void>
}

interface ConnectionHooks {
  /** The first connection attempt has ended, successfully or not. */
  firstAttemptEnded(): void
  /**
   * A new connection object exists, so subscriptions must be made again. Not called for reconnections of the library.
   */
  connectionOpened(connection: NatsConnection): Promise<void>
  /** The broker is available, for the first time or again. */
  connected(): void
  disconnected(): void
}

/**
 * Maintains a connection until closed. The library reconnects an established connection; this function makes the first
 * one, while the broker may be unavailable, and a new one if the library gives up.
 */
export function maintainConnection(options: ConnectionOptions, log: Log, hooks: ConnectionHooks): BrokerConnection {
  const closing = new AbortController()
  let connection: NatsConnection | undefined
  let isConnected = false
  const maintained = maintain()

  async function maintain(): Promise<void> {
    for (let failures = 0; !closing.signal.aborted; failures += 1) {
      try {
        connection = await connect(options)
      } catch (error) {
        // Logged at the first failure and then about every ten seconds.
        hooks.firstAttemptEnded()
        if (failures % 10 === 0)
          log.warn(
            { event: 'broker.unreachable', err: error, servers: options.servers },
            'broker unreachable; retrying',
          )
        await pause(backoffMs(failures + 1, { firstMs: 100, maxMs: 1_000 }, Math.random()), closing.signal)
        continue
      }
      if (closing.signal.aborted) break
      failures = 0
      await hooks.connectionOpened(connection)
      setConnected(true)
      hooks.firstAttemptEnded()
      await followStatus(connection, log, setConnected)
      setConnected(false)
    }
    await connection?.close()
  }

  function setConnected(value: boolean): void {
    if (value === isConnected) return
    isConnected = value
    if (closing.signal.aborted) return
    if (!value) log.warn({ event: 'broker.disconnected' }, 'broker connection lost')
    if (value) hooks.connected()
    else hooks.disconnected()
  }

  return {
    current: () => (isConnected ? connection : undefined),
    async close() {
      closing.abort()
      // Acknowledgements are sent asynchronously; flush those still buffered.
      if (isConnected && connection !== undefined) await waitAtMost(500, connection.flush())
      await connection?.close()
      // A connection attempt in progress cannot be cancelled; `maintain` closes its connection when it is established.
      await waitAtMost(500, maintained)
    },
  }
}

/** Reports connection changes until the connection is closed for good. */
async function followStatus(
  connection: NatsConnection,
  log: Log,
  setConnected: (value: boolean) => void,
): Promise<void> {
  for await (const status of connection.status()) {
    if (status.type === 'disconnect') setConnected(false)
    if (status.type === 'reconnect') setConnected(true)
    if (status.type === 'error')
      log.warn({ event: 'broker.error_reported', err: status.error }, 'broker reported an error')
  }
}
