import { type ConnectionOptions, connect, type NatsConnection } from '@nats-io/transport-node'
import { backoffMs, type Log, pause, waitAtMost } from '@wp/runtime'

export interface BrokerConnection {
  /** The connection while the broker answers. */
  current(): NatsConnection | undefined
  close(): Promise<void>
}

interface ConnectionHooks {
  /** The first try to connect is over, well or not. */
  firstAttemptEnded(): void
  /** There is a connection that was not there before: what was subscribed must be again. Reconnections are not told. */
  connectionOpened(connection: NatsConnection): Promise<void>
  /** The broker answers (again). */
  connected(): void
  disconnected(): void
}

/**
 * Keeps a connection for as long as it is not closed. The library reconnects one that was once made; making the first,
 * while the broker is away, and a new one, should the library give up, is done here.
 */
export function maintainConnection(options: ConnectionOptions, log: Log, hooks: ConnectionHooks): BrokerConnection {
  const closing = new AbortController()
  let connection: NatsConnection | undefined
  let up = false
  const maintained = maintain()

  async function maintain(): Promise<void> {
    for (let failures = 0; !closing.signal.aborted; failures += 1) {
      try {
        connection = await connect(options)
      } catch (error) {
        // Said once and then about every ten seconds, not at each try.
        hooks.firstAttemptEnded()
        if (failures % 10 === 0) log.warn({ err: error, servers: options.servers }, 'the broker cannot be reached yet')
        await pause(backoffMs(failures + 1, { firstMs: 100, maxMs: 1_000 }, Math.random()), closing.signal)
        continue
      }
      if (closing.signal.aborted) break
      failures = 0
      await hooks.connectionOpened(connection)
      setConnected(true)
      hooks.firstAttemptEnded()
      await followStatus(connection)
      setConnected(false)
    }
    await connection?.close()
  }

  async function followStatus(current: NatsConnection): Promise<void> {
    for await (const status of current.status()) {
      if (status.type === 'disconnect') setConnected(false)
      if (status.type === 'reconnect') setConnected(true)
      if (status.type === 'error') log.warn({ err: status.error }, 'the broker refused something')
    }
  }

  function setConnected(now: boolean): void {
    if (now === up) return
    up = now
    if (closing.signal.aborted) return
    if (!now) log.warn({}, 'the broker is away')
    if (now) hooks.connected()
    else hooks.disconnected()
  }

  return {
    current: () => (up ? connection : undefined),
    async close() {
      closing.abort()
      // Acknowledgements are sent without waiting; what is still on its way out shall leave.
      if (up && connection !== undefined) await waitAtMost(500, connection.flush())
      await connection?.close()
      // A first connection that is just being made cannot be called off; it is closed when it is there.
      await waitAtMost(500, maintained)
    },
  }
}
