import { createServer, type IncomingHttpHeaders, type RequestListener, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { afterAll } from '@jest/globals'
import { HttpConfig } from '@wp/contracts'
import type { Outbound, OutboundOptions } from '@wp/outbound'
import { createAuthority } from '@wp/testkit'
import { createHttpReader } from '../../src/providers/http/http-reader.ts'
import type { CrawlRequest, ResolvedIntegration } from '../../src/providers/source-reader.ts'
import { crawlAll, crawlFailureOf, crawlRequest, localOutbound } from './run-crawl.ts'

/** What a server was asked. */
export interface ReceivedRequest {
  url: string
  headers: IncomingHttpHeaders
}

export interface Site {
  /** Without a slash at its end. */
  url: string
  port: number
  requests: ReceivedRequest[]
}

type Answer = (response: ServerResponse, asked: ReceivedRequest) => void

const closing: (() => void)[] = []
afterAll(() => {
  for (const close of closing) close()
})

export const authority = createAuthority()
const { certificate: cert, key } = authority.issue({ names: ['127.0.0.1', 'one.test', 'other.test'] })

/** A server that answers every path in one way, or each in its own. */
export async function startSite(answers: Answer | Record<string, Answer>, { tls = false } = {}): Promise<Site> {
  const asked: ReceivedRequest[] = []
  const sockets = new Set<Socket>()
  const listener: RequestListener = (request, response) => {
    const one = { url: request.url ?? '', headers: request.headers }
    asked.push(one)
    const answer = typeof answers === 'function' ? answers : answers[one.url.split('?')[0] ?? '']
    if (answer === undefined) response.writeHead(404).end()
    else answer(response, one)
  }
  const server = tls ? createTlsServer({ cert, key }, listener) : createServer(listener)
  server.on('connection', (socket) => sockets.add(socket))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  const { port } = server.address() as AddressInfo // it listens on TCP
  return { url: `${tls ? 'https' : 'http'}://127.0.0.1:${port}`, port, requests: asked }
}

/** An answer of a type. */
export const respond =
  (type: string | undefined, body: string | Uint8Array, headers: Record<string, string> = {}): Answer =>
  (response) =>
    response.writeHead(200, { ...(type === undefined ? {} : { 'content-type': type }), ...headers }).end(body)

export const respondJson = (value: unknown, headers: Record<string, string> = {}): Answer =>
  respond('application/json', JSON.stringify(value), headers)

type Given = Partial<Omit<CrawlRequest<HttpConfig>, 'config'>> & { outside?: OutboundOptions }

const reader = createHttpReader({ initialBackoffMs: 1 })

/** Reading the authorities of the system takes long, so tests share a client where they can. */
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

/** Reads a source of this config to its end. */
export const crawlSite = (config: Record<string, unknown>, given: Given = {}) =>
  crawlAll(reader, crawlFor(config, given))

/** How reading it fails. */
export const crawlFailureOfSite = (config: Record<string, unknown>, given: Given = {}) =>
  crawlFailureOf(reader, crawlFor(config, given))

/** The crawl itself. */
export const startCrawl = (config: Record<string, unknown>, given: Given = {}, read = reader) =>
  read.crawl(crawlFor(config, given))

export const integration = (base: string, secrets: Record<string, string>, headers = {}): ResolvedIntegration => ({
  provider: 'http',
  config: { base_url: base, headers },
  secrets,
})
