import { createServer, type IncomingHttpHeaders, type RequestListener, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { HttpConfig } from '@wp/contracts'
import type { Outbound, OutboundOptions } from '@wp/outbound'
import { createAuthority } from '@wp/testkit'
import { createHttpReader } from '../../../src/providers/http/http-reader.ts'
import type { CrawlRequest, ResolvedIntegration } from '../../../src/providers/source-reader.ts'
import { crawlAll, crawlFailureOf, crawlRequest, localOutbound } from './run-crawl.ts'

/** A request the server received. */
export interface ReceivedRequest {
  url: string
  headers: IncomingHttpHeaders
}

export interface Site {
  /** Without a trailing slash. */
  url: string
  port: number
  requests: ReceivedRequest[]
}

type Handler = (response: ServerResponse, request: ReceivedRequest) => void

const closing: (() => void)[] = []

/** Closes the servers and clients of a test file. */
export function closeSites(): void {
  for (const close of closing.splice(0)) close()
  clients.clear()
}

export const authority = createAuthority()
const { certificate: cert, key } = authority.issue({ names: ['127.0.0.1', 'one.test', 'other.test'] })

/** Starts a server with one handler for all paths, or one for each. */
export async function startSite(handlers: Handler | Record<string, Handler>, { tls = false } = {}): Promise<Site> {
  const requests: ReceivedRequest[] = []
  const sockets = new Set<Socket>()
  const listener: RequestListener = (request, response) => {
    const received = { url: request.url ?? '', headers: request.headers }
    requests.push(received)
    const handler = typeof handlers === 'function' ? handlers : handlers[received.url.split('?')[0] ?? '']
    if (handler === undefined) response.writeHead(404).end()
    else handler(response, received)
  }
  const server = tls ? createTlsServer({ cert, key }, listener) : createServer(listener)
  server.on('connection', (socket) => sockets.add(socket))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  const { port } = server.address() as AddressInfo // it listens on TCP
  return { url: `${tls ? 'https' : 'http'}://127.0.0.1:${port}`, port, requests }
}

/** Responds with a body of a media type. */
export const respond =
  (type: string | undefined, body: string | Uint8Array, headers: Record<string, string> = {}): Handler =>
  (response) =>
    response.writeHead(200, { ...(type === undefined ? {} : { 'content-type': type }), ...headers }).end(body)

export const respondJson = (value: unknown, headers: Record<string, string> = {}): Handler =>
  respond('application/json', JSON.stringify(value), headers)

type Given = Partial<Omit<CrawlRequest<HttpConfig>, 'config'>> & { outside?: OutboundOptions }

const reader = createHttpReader({ initialBackoffMs: 1 })

/** Clients are shared, because loading the certificate authorities of the system is slow. */
const clients = new Map<string, Outbound>()

function clientFor(outside: OutboundOptions): Outbound {
  const known = clients.get(JSON.stringify(outside))
  if (known !== undefined && outside.lookup === undefined) return known
  const outbound = localOutbound({
    ca: authority.certificate,
    lookup: async () => [{ address: '127.0.0.1', family: 4 }],
    ...outside,
  })
  clients.set(JSON.stringify(outside), outbound)
  closing.push(() => outbound.close())
  return outbound
}

function crawlFor(config: Record<string, unknown>, { outside = {}, ...given }: Given) {
  const outbound = clientFor(outside)
  return crawlRequest<HttpConfig>({ config: HttpConfig.parse(config), integration: undefined, outbound, ...given })
}

/** Reads a source with this config completely. */
export const crawlSite = (config: Record<string, unknown>, given: Given = {}) =>
  crawlAll(reader, crawlFor(config, given))

/** Returns the failure of reading it. */
export const crawlFailureOfSite = (config: Record<string, unknown>, given: Given = {}) =>
  crawlFailureOf(reader, crawlFor(config, given))

/** Starts a crawl. */
export const startCrawl = (config: Record<string, unknown>, given: Given = {}, read = reader) =>
  read.crawl(crawlFor(config, given))

export const integration = (base: string, secrets: Record<string, string>, headers = {}): ResolvedIntegration => ({
  provider: 'http',
  config: { base_url: base, headers },
  secrets,
})
