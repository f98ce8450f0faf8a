import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { createSecureContext, TLSSocket } from 'node:tls'
import type { ServerCertificate } from '@wp/testkit'

export interface TlsProxy {
  port: number
  /** Number of connections, and of those that completed a TLS handshake. */
  connections(): { came: number; secure: number }
  close(): void
}

/** Starts a proxy that adds TLS to a PostgreSQL server, negotiated by an SSLRequest in plain text. */
export async function startTlsProxy(port: number, { certificate: cert, key }: ServerCertificate): Promise<TlsProxy> {
  const secureContext = createSecureContext({ cert, key })
  const open = new Set<Socket>()
  let [came, secured] = [0, 0]
  const server = createServer((socket) => {
    came++
    open.add(socket)
    socket.on('error', () => {}).once('close', () => open.delete(socket))
    socket.once('data', () => {
      socket.write('S')
      const secure = new TLSSocket(socket, { isServer: true, secureContext })
      secure.once('secure', () => secured++)
      const upstream = connect(port, '127.0.0.1')
      secure.on('error', () => upstream.destroy()).once('close', () => upstream.destroy())
      upstream.on('error', () => secure.destroy()).once('close', () => secure.destroy())
      secure.pipe(upstream).pipe(secure)
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    port: (server.address() as AddressInfo).port, // a server that listens on TCP has such an address
    connections: () => ({ came, secure: secured }),
    close() {
      server.close()
      for (const socket of open) socket.destroy()
    },
  }
}
