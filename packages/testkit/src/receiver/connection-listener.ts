import type { Server as HttpServer, IncomingMessage } from 'node:http'
import { createServer, type Socket } from 'node:net'

/** The treatment of a new connection: serve it, close it, reset it, or leave it without a TLS handshake. */
export type AcceptMode = 'serve' | 'close' | 'reset' | 'stall'

export type ConnectionListener = {
  port: number
  acceptMode: AcceptMode
  readonly connections: number
  /** Returns the TCP connection of a request, also under TLS; undefined if it is closed. */
  connectionOf(request: IncomingMessage): Socket | undefined
  /** Stops listening and destroys all connections. */
  close(): Promise<void>
}

/** Accepts TCP connections on loopback and passes them to an HTTP server, or fails them according to `acceptMode`. */
export async function startConnectionListener(httpServer: HttpServer, wantedPort: number): Promise<ConnectionListener> {
  const sockets = new Map<number, Socket>()
  let connections = 0
  const server = createServer((socket) => {
    connections += 1
    const { remotePort = 0 } = socket
    sockets.set(remotePort, socket)
    socket.once('close', () => sockets.delete(remotePort))
    // A client may disconnect at any time.
    socket.on('error', () => {})
    if (listener.acceptMode === 'close') socket.destroy()
    else if (listener.acceptMode === 'reset') socket.resetAndDestroy()
    else if (listener.acceptMode === 'serve') httpServer.emit('connection', socket)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(wantedPort, '127.0.0.1', resolve)
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the receiver has no port')

  const listener: ConnectionListener = {
    port: address.port,
    acceptMode: 'serve',
    get connections() {
      return connections
    },
    connectionOf: (request) => sockets.get(request.socket.remotePort ?? 0),
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      for (const socket of sockets.values()) socket.destroy()
      await closed
    },
  }
  return listener
}
