import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { createSecureContext, TLSSocket } from 'node:tls'
import type { ServerCertificate } from '@wp/testkit'

export interface TlsProxy {
  port: number
  /** How many connections came, and how many of them spoke TLS. */
  connections(): { came: number; secure: number }
  close(): void
}

/** Stands before a PostgreSQL that speaks no TLS, and speaks it as PostgreSQL does: asked for in the clear first. */
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
      const behind = connect(port, '127.0.0.1')
      secure.on('error', () => behind.destroy()).once('close', () => behind.destroy())
      behind.on('error', () => secure.destroy()).once('close', () => secure.destroy())
      secure.pipe(behind).pipe(secure)
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
