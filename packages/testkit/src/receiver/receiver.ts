import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { type CertificateAuthority, createSelfSigned, testAuthority } from '../certificates/authority.ts'
import { type AcceptMode, startConnectionListener } from './connection-listener.ts'
import { type ReceivedRequest, RequestRecorder } from './request-recorder.ts'
import { type Responder, respond } from './responders.ts'
import { ResponseBarrier } from './response-barrier.ts'

/** The certificate of a receiver; `none` is plain HTTP. */
export type ReceiverTls = 'trusted' | 'self-signed' | 'wrong-name' | 'expired' | 'none'

export type ReceiverOptions = {
  /** The default responder. Default: status 200. */
  responder?: Responder
  /** The port on 127.0.0.1. Default: a free port. */
  port?: number
  /** Default `trusted`: a certificate of `authority`. */
  tls?: ReceiverTls
  /** Default: the authority of the test process. */
  authority?: CertificateAuthority
  /** Names in the certificate, in addition to `localhost` and 127.0.0.1. */
  names?: string[]
}

type WaitOptions = { timeoutMs?: number }

export type Receiver = {
  port: number
  /** Returns the URL of a path. Default: `/` on 127.0.0.1. */
  url(path?: string, host?: string): string
  /** The file with the authority's certificate, for OUTBOUND_CA_FILE. */
  caFile: string
  /** The requests, in the order in which they were completely read. */
  received: readonly ReceivedRequest[]
  /** The number of accepted TCP connections, served or not. */
  readonly connections: number
  /** The number of requests in flight: now, and at most. */
  readonly inFlight: { readonly now: number; readonly peak: number }
  /** Resolves with the first `count` requests, or with the first that matches. Default time limit: 120,000 ms. */
  waitFor(count: number, options?: WaitOptions): Promise<ReceivedRequest[]>
  waitFor(wanted: (request: ReceivedRequest) => boolean, options?: WaitOptions): Promise<ReceivedRequest>
  /** Sets the responder of a path, or the default responder. */
  setResponder(responder: Responder, path?: string): void
  /** Sets the treatment of new connections. */
  setAcceptMode(mode: AcceptMode): void
  /** Reads and records requests without responding, until `releaseResponses`. */
  holdResponses(): void
  /** Sends the held responses. */
  releaseResponses(): void
  /** Removes the recorded requests and resets the attempt counts. */
  clear(): void
  /** Stops the receiver and destroys all connections. */
  close(): Promise<void>
}

/**
 * Starts an HTTPS server on loopback that records every request with its raw bytes. Responders simulate faulty
 * responses; `tls` and `setAcceptMode` simulate faulty connections.
 */
export async function startReceiver({
  responder = respond(200),
  port: wantedPort = 0,
  tls = 'trusted',
  authority = testAuthority(),
  names = [],
}: ReceiverOptions = {}): Promise<Receiver> {
  const recorder = new RequestRecorder()
  const barrier = new ResponseBarrier()
  const inFlight = { now: 0, peak: 0 }
  const pathResponders = new Map<string, Responder>()
  let defaultResponder = responder

  const respondTo = async (request: IncomingMessage, response: ServerResponse) => {
    const received = await recordRequest(recorder, request)
    if (!received) return
    await barrier.wait()
    const socket = listener.connectionOf(request)
    const [path = '/'] = received.path.split('?')
    if (socket && !response.destroyed)
      await (pathResponders.get(path) ?? defaultResponder)({ request: received, response, socket })
  }
  const serve = (request: IncomingMessage, response: ServerResponse) => {
    inFlight.now += 1
    inFlight.peak = Math.max(inFlight.peak, inFlight.now)
    response.once('close', () => {
      inFlight.now -= 1
    })
    respondTo(request, response).catch((error) => response.writeHead(500).end(`the responder threw ${error}`))
  }
  const httpServer =
    tls === 'none' ? createHttpServer(serve) : createHttpsServer(certificateFor(tls, authority, names), serve)
  const listener = await startConnectionListener(httpServer, wantedPort)

  return {
    port: listener.port,
    url: (path = '/', host = '127.0.0.1') => `${tls === 'none' ? 'http' : 'https'}://${host}:${listener.port}${path}`,
    caFile: authority.file,
    received: recorder.all,
    get connections() {
      return listener.connections
    },
    inFlight,
    waitFor: createWaitFor(recorder),
    setResponder(next, path) {
      if (path === undefined) defaultResponder = next
      else pathResponders.set(path, next)
    },
    setAcceptMode(mode) {
      listener.acceptMode = mode
    },
    holdResponses: () => barrier.close(),
    releaseResponses: () => barrier.open(),
    clear: () => recorder.clear(),
    async close() {
      await listener.close()
      barrier.open()
    },
  }
}

function certificateFor(tls: Exclude<ReceiverTls, 'none'>, authority: CertificateAuthority, more: string[]) {
  const names = ['localhost', '127.0.0.1', ...more]
  const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000)
  const issue = {
    trusted: () => authority.issue({ names }),
    'self-signed': () => createSelfSigned({ names }),
    'wrong-name': () => authority.issue({ names: ['elsewhere.example'] }),
    expired: () => authority.issue({ names, notBefore: minutesAgo(60), notAfter: minutesAgo(1) }),
  }
  const { certificate, key } = issue[tls]()
  return { cert: certificate, key }
}

function createWaitFor(recorder: RequestRecorder): Receiver['waitFor'] {
  function waitFor(count: number, options?: WaitOptions): Promise<ReceivedRequest[]>
  function waitFor(wanted: (request: ReceivedRequest) => boolean, options?: WaitOptions): Promise<ReceivedRequest>
  function waitFor(
    wanted: number | ((request: ReceivedRequest) => boolean),
    { timeoutMs = 120_000 }: WaitOptions = {},
  ) {
    if (typeof wanted === 'function')
      return recorder.waitFor((all) => all.find(wanted), 'the expected request', timeoutMs)
    const enough = (all: ReceivedRequest[]) => (all.length >= wanted ? all.slice(0, wanted) : undefined)
    return recorder.waitFor<ReceivedRequest | ReceivedRequest[]>(enough, `${wanted} requests`, timeoutMs)
  }
  return waitFor
}

async function recordRequest(
  recorder: RequestRecorder,
  request: IncomingMessage,
): Promise<ReceivedRequest | undefined> {
  const at = Date.now()
  const body = await readBody(request)
  const { method = '', url: path = '/', headers, rawHeaders } = request
  return body && recorder.add({ method, path, headers, rawHeaders, body, at })
}

/** Reads the whole body. Returns undefined if the client disconnects before its end. */
async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  try {
    for await (const chunk of request) chunks.push(chunk)
    return Buffer.concat(chunks)
  } catch {
    return undefined
  }
}
