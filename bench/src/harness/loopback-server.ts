import { createServer, type RequestListener } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import type { AddressInfo } from 'node:net'

/** A server of the benchmark on loopback. */
export interface LoopbackServer extends AsyncDisposable {
  /** Without a trailing slash. */
  url: string
}

/** @param tls certificate and key; without, plain HTTP */
export async function startServer(
  listener: RequestListener,
  tls?: { cert: string; key: string },
): Promise<LoopbackServer> {
  const server = tls === undefined ? createServer(listener) : createHttpsServer(tls, listener)
  server.keepAliveTimeout = 65_000
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // it listens on TCP
  return {
    url: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.close()
      server.closeAllConnections()
    },
  }
}

/** Returns the certificate and key of a helper process that was started with `issueLoopbackIdentity`. */
export const serverIdentity = () => ({ cert: process.env.CERTIFICATE ?? '', key: process.env.KEY ?? '' })
