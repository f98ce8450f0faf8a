import { isIP } from 'node:net'
import { Connection, type SASLOptions } from '@platformatic/kafka'
import type { SinkContext } from './sink.ts'

export interface Broker {
  host: string
  port: number
}

/**
 * Connects to a broker through the guarded client, also to one that the metadata of another names: it may name any
 * address. The library gets the socket and adds TLS and authentication; by itself it would open an unguarded one, which
 * it does without TLS only. Hence TLS is required.
 */
export async function connectBroker(
  { outbound, connectTimeoutMs, timeoutMs, signal }: SinkContext,
  { host, port }: Broker,
  sasl: SASLOptions | undefined,
): Promise<Connection> {
  const socket = await outbound.connect({ host, port, connectTimeoutMs, signal })
  const onAbort = () => socket.destroy()
  signal.addEventListener('abort', onAbort, { once: true })
  socket.once('close', () => signal.removeEventListener('abort', onAbort))
  // A failure of the socket reaches the connection, which reports it to its requests.
  socket.on('error', () => {})
  const connection = new Connection('workspace-platform', {
    connectTimeout: connectTimeoutMs,
    requestTimeout: timeoutMs,
    tls: {
      socket,
      secureContext: outbound.secureContext,
      rejectUnauthorized: true,
      // RFC 6066: an address is never sent as the server name.
      ...(isIP(host) === 0 ? { servername: host } : {}),
    },
    ...(sasl === undefined ? {} : { sasl }),
  })
  connection.on('error', () => {})
  try {
    await connection.connect(host, port)
    return connection
  } catch (error) {
    socket.destroy()
    throw error
  }
}
