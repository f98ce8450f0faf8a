import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { type HttpMisbehaviourName, httpMisbehaviours } from './http-misbehaviours.ts'

/** An HTTP service on loopback that misbehaves at one step of its response. */
export interface MisbehavingHttpServer {
  url: string
  /** Number of received requests. */
  readonly requests: number
  /** Chooses the misbehaviour of further requests, and counts them from 0. */
  misbehave(name: HttpMisbehaviourName): void
  close(): Promise<void>
}

const endOfHead = '\r\n\r\n'

/** Starts an HTTP service that closes every connection without a response until it is told otherwise. */
export async function startMisbehavingHttpServer(): Promise<MisbehavingHttpServer> {
  const sockets = new Set<Socket>()
  let name: HttpMisbehaviourName = 'connectionClose'
  let requests = 0

  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {}) // a client may leave at any time
    socket.once('close', () => sockets.delete(socket))
    let received = ''
    socket.setEncoding('latin1').on('data', (text: string) => {
      received += text
      const end = received.indexOf(endOfHead)
      if (end === -1) return
      const length = Number(/^content-length: *(\d+)/im.exec(received)?.[1] ?? 0)
      if (received.length < end + endOfHead.length + length) return
      received = ''
      requests += 1
      httpMisbehaviours[name].act(socket)
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo // a server that listens on TCP has such an address

  return {
    url: `http://127.0.0.1:${port}`,
    get requests() {
      return requests
    },
    misbehave(next) {
      name = next
      requests = 0
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}
