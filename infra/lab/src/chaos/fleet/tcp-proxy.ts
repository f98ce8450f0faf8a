import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A connection through a proxy. */
interface Link {
  client: Socket
  server: Socket
  /** Cut the connection instead of forwarding the next bytes of the server. */
  isDoomed: boolean
}

/** Forwards TCP connections to a server on loopback, and simulates faults of the network between them. */
export interface TcpProxy {
  port: number
  /** The port to which new connections are forwarded. */
  readonly serverPort: number
  /** The number of connections that were cut after bytes of the client had reached the server. */
  readonly cuts: number
  /** Forwards new connections to another port; those that are open stay where they are. */
  redirect(serverPort: number): void
  /** Forwards nothing in either direction, and closes nothing, as a network does that loses all packets. */
  stall(): void
  /** Forwards again, beginning with what waits. */
  resume(): void
  /**
   * Forwards bytes of a client for which `isChosen` returns true, and cuts the connection when the server responds, so
   * that the client does not learn the result. Undefined ends it.
   */
  cutAfter(isChosen: ((bytes: Buffer) => boolean) | undefined): void
  close(): Promise<void>
}

/** Starts a proxy on a free port of 127.0.0.1. */
export async function startTcpProxy(serverPort: number): Promise<TcpProxy> {
  let currentPort = serverPort
  const links = new Set<Link>()
  let isStalled = false
  let cuts = 0
  let isChosen: ((bytes: Buffer) => boolean) | undefined

  const server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
    const link: Link = {
      client,
      server: connect({ port: currentPort, host: '127.0.0.1', noDelay: true, allowHalfOpen: true }),
      isDoomed: false,
    }
    links.add(link)
    client.once('close', () => links.delete(link))
    const mayResume = () => !isStalled
    forward(client, link.server, mayResume, (bytes) => {
      if (isChosen?.(bytes)) link.isDoomed = true
      return true
    })
    forward(link.server, client, mayResume, () => {
      if (!link.isDoomed) return true
      cuts += 1
      client.destroy()
      return false
    })
    if (isStalled) pause(link)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  return {
    port: (server.address() as AddressInfo).port, // it listens on TCP
    get serverPort() {
      return currentPort
    },
    get cuts() {
      return cuts
    },
    redirect(port) {
      currentPort = port
    },
    stall() {
      isStalled = true
      for (const link of links) pause(link)
    },
    resume() {
      isStalled = false
      for (const { client, server: upstream } of links) for (const socket of [client, upstream]) socket.resume()
    },
    cutAfter(choose) {
      isChosen = choose
    },
    async close() {
      server.close()
      for (const { client, server: upstream } of links) for (const socket of [client, upstream]) socket.destroy()
    },
  }
}

function pause({ client, server }: Link): void {
  client.pause()
  server.pause()
}

/** Forwards what `shouldForward` accepts, no faster than it is read. */
function forward(from: Socket, to: Socket, mayResume: () => boolean, shouldForward: (bytes: Buffer) => boolean): void {
  from.on('data', (bytes) => {
    if (!shouldForward(bytes) || to.write(bytes)) return
    from.pause()
    to.once('drain', () => {
      if (mayResume()) from.resume()
    })
  })
  from.on('end', () => to.end())
  from.on('error', () => to.destroy())
  from.on('close', () => to.destroy())
}
