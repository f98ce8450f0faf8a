import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { type CertificateAuthority, createSelfSigned, testAuthority } from '../certificates/authority.ts'
import { type AcceptMode, startConnectionListener } from './connection-listener.ts'
import { type ReceivedRequest, RequestRecorder } from './request-recorder.ts'
import { type Responder, respond } from './responders.ts'
import { ResponseBarrier } from './response-barrier.ts'

/** Which certificate a receiver shows; `none` speaks plain HTTP. */
export type ReceiverTls = 'trusted' | 'self-signed' | 'wrong-name' | 'expired' | 'none'

export type ReceiverOptions = {
  /** How it answers where `behave` says nothing else; default 200. */
  responder?: Responder
  /** Port on 127.0.0.1; default a free one. */
  port?: number
  /** Default `trusted`: by those who trust `authority`. */
  tls?: ReceiverTls
  /** Default: the authority of this process. */
  authority?: CertificateAuthority
  /** Names the certificate is for, beside `localhost` and 127.0.0.1. */
  names?: string[]
}

type WaitOptions = { timeoutMs?: number }

export type Receiver = {
  port: number
  /** Address of a path here, by default `/`, under 127.0.0.1 or another of its names. */
  url(path?: string, host?: string): string
  /** PEM of the authority a client must trust, for OUTBOUND_CA_FILE. */
  caFile: string
  /** What came, in the order in which it was read to its end. */
  received: readonly ReceivedRequest[]
  /** How many connections were made, served or not. */
  readonly connections: number
  /** Requests that are being answered: now, and at most so far. */
  readonly inFlight: { readonly now: number; readonly peak: number }
  /** Resolves with the first `count` requests, or with the first that `wanted` likes. Default time 5,000 ms. */
  waitFor(count: number, options?: WaitOptions): Promise<ReceivedRequest[]>
  waitFor(wanted: (request: ReceivedRequest) => boolean, options?: WaitOptions): Promise<ReceivedRequest>
  /** From now on answers so: everywhere, or under this path, which has the last word. */
  setResponder(behaviour: Responder, path?: string): void
  /** From now on treats new connections so. */
  setAcceptMode(treatment: AcceptMode): void
  /** From now on requests are read and recorded, and their answers held. */
  holdResponses(): void
  /** Gives the held answers, and holds no more. */
  releaseResponses(): void
  /** Forgets what came and counts attempts anew. */
  clear(): void
  /** Ends it, and every connection at once. */
  close(): Promise<void>
}

/**
 * A real HTTPS server on loopback that records every request with its raw bytes, and that can be as bad as receivers
 * are: `behaviours` are its ways to answer, `tls` and `atAccept` its ways to fail before.
 */
export async function startReceiver(options: ReceiverOptions = {}): Promise<Receiver> {
  const {
    responder = respond(200),
    port: wantedPort = 0,
    tls = 'trusted',
    authority = testAuthority(),
    names = [],
  } = options
  const recorder = new RequestRecorder()
  const barrier = new ResponseBarrier()
  const inFlight = { now: 0, peak: 0 }
  const pathResponders = new Map<string, Responder>()
  let defaultResponder = responder

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const received = await record(request)
    if (!received) return
    await barrier.wait()
    const socket = listener.connectionOf(request)
    const [path = '/'] = received.path.split('?')
    if (socket && !response.destroyed)
      await (pathResponders.get(path) ?? defaultResponder)({ request: received, response, socket })
  }
  const record = async (request: IncomingMessage) => {
    const at = Date.now()
    const body = await readBody(request)
    const { method = '', url: path = '/', headers, rawHeaders } = request
    return body && recorder.add({ method, path, headers, rawHeaders, body, at })
  }
  const serve = (request: IncomingMessage, response: ServerResponse) => {
    inFlight.now += 1
    inFlight.peak = Math.max(inFlight.peak, inFlight.now)
    response.once('close', () => {
      inFlight.now -= 1
    })
    answer(request, response).catch((error) => response.writeHead(500).end(`the behaviour threw ${error}`))
  }
  const httpServer =
    tls === 'none' ? createHttpServer(serve) : createHttpsServer(certificateFor(tls, authority, names), serve)
  const listener = await startConnectionListener(httpServer, wantedPort)

  function waitFor(count: number, options?: WaitOptions): Promise<ReceivedRequest[]>
  function waitFor(wanted: (request: ReceivedRequest) => boolean, options?: WaitOptions): Promise<ReceivedRequest>
  function waitFor(wanted: number | ((request: ReceivedRequest) => boolean), { timeoutMs = 15_000 }: WaitOptions = {}) {
    if (typeof wanted === 'function')
      return recorder.waitFor((all) => all.find(wanted), 'the request awaited', timeoutMs)
    const enough = (all: ReceivedRequest[]) => (all.length >= wanted ? all.slice(0, wanted) : undefined)
    return recorder.waitFor<ReceivedRequest | ReceivedRequest[]>(enough, `${wanted} requests`, timeoutMs)
  }
  return {
    port: listener.port,
    url: (path = '/', host = '127.0.0.1') => `${tls === 'none' ? 'http' : 'https'}://${host}:${listener.port}${path}`,
    caFile: authority.file,
    received: recorder.all,
    get connections() {
      return listener.connections
    },
    inFlight,
    waitFor,
    setResponder(next, path) {
      if (path === undefined) defaultResponder = next
      else pathResponders.set(path, next)
    },
    setAcceptMode(treatment) {
      listener.acceptMode = treatment
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

/** The whole body, or nothing when the caller went away before its end. */
async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  try {
    for await (const chunk of request) chunks.push(chunk)
    return Buffer.concat(chunks)
  } catch {
    return undefined
  }
}
