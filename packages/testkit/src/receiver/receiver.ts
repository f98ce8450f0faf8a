import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { type CertificateAuthority, selfSigned, testAuthority } from '../certificates.ts'
import { type Behaviour, respond } from './behaviours.ts'
import { type AtAccept, openFrontDoor } from './front-door.ts'
import { Gate } from './gate.ts'
import { type Received, ReceivedList } from './received.ts'

/** Which certificate a receiver shows; `none` speaks plain HTTP. */
export type ReceiverTls = 'trusted' | 'self-signed' | 'wrong-name' | 'expired' | 'none'

export type ReceiverOptions = {
  /** How it answers where `behave` says nothing else; default 200. */
  behaviour?: Behaviour
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
  received: readonly Received[]
  /** How many connections were made, served or not. */
  readonly connections: number
  /** Requests that are being answered: now, and at most so far. */
  readonly inFlight: { readonly now: number; readonly peak: number }
  /** Resolves with the first `count` requests, or with the first that `wanted` likes. Default time 5,000 ms. */
  waitFor(count: number, options?: WaitOptions): Promise<Received[]>
  waitFor(wanted: (request: Received) => boolean, options?: WaitOptions): Promise<Received>
  /** From now on answers so: everywhere, or under this path, which has the last word. */
  behave(behaviour: Behaviour, path?: string): void
  /** From now on treats new connections so. */
  atAccept(treatment: AtAccept): void
  /** From now on requests are read and recorded, and their answers held. */
  hold(): void
  /** Gives the held answers, and holds no more. */
  release(): void
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
    behaviour = respond(200),
    port: wantedPort = 0,
    tls = 'trusted',
    authority = testAuthority(),
    names = [],
  } = options
  const list = new ReceivedList()
  const gate = new Gate()
  const inFlight = { now: 0, peak: 0 }
  const paths = new Map<string, Behaviour>()
  let everywhere = behaviour

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const received = await record(request)
    if (!received) return
    await gate.pass()
    const socket = door.connectionOf(request)
    const [path = '/'] = received.path.split('?')
    if (socket && !response.destroyed) await (paths.get(path) ?? everywhere)({ request: received, response, socket })
  }
  const record = async (request: IncomingMessage) => {
    const at = Date.now()
    const body = await readAll(request)
    const { method = '', url: path = '/', headers, rawHeaders } = request
    return body && list.add({ method, path, headers, rawHeaders, body, at })
  }
  const serve = (request: IncomingMessage, response: ServerResponse) => {
    inFlight.now += 1
    inFlight.peak = Math.max(inFlight.peak, inFlight.now)
    response.once('close', () => {
      inFlight.now -= 1
    })
    answer(request, response).catch((error) => response.writeHead(500).end(`the behaviour threw ${error}`))
  }
  const web = tls === 'none' ? createHttpServer(serve) : createHttpsServer(certificateFor(tls, authority, names), serve)
  const door = await openFrontDoor(web, wantedPort)

  function waitFor(count: number, options?: WaitOptions): Promise<Received[]>
  function waitFor(wanted: (request: Received) => boolean, options?: WaitOptions): Promise<Received>
  function waitFor(wanted: number | ((request: Received) => boolean), { timeoutMs = 15_000 }: WaitOptions = {}) {
    if (typeof wanted === 'function') return list.waitFor((all) => all.find(wanted), 'the request awaited', timeoutMs)
    const enough = (all: Received[]) => (all.length >= wanted ? all.slice(0, wanted) : undefined)
    return list.waitFor<Received | Received[]>(enough, `${wanted} requests`, timeoutMs)
  }
  return {
    port: door.port,
    url: (path = '/', host = '127.0.0.1') => `${tls === 'none' ? 'http' : 'https'}://${host}:${door.port}${path}`,
    caFile: authority.file,
    received: list.all,
    get connections() {
      return door.connections
    },
    inFlight,
    waitFor,
    behave(next, path) {
      if (path === undefined) everywhere = next
      else paths.set(path, next)
    },
    atAccept(treatment) {
      door.treatment = treatment
    },
    hold: () => gate.shut(),
    release: () => gate.open(),
    clear: () => list.clear(),
    async close() {
      await door.close()
      gate.open()
    },
  }
}

function certificateFor(tls: Exclude<ReceiverTls, 'none'>, authority: CertificateAuthority, more: string[]) {
  const names = ['localhost', '127.0.0.1', ...more]
  const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000)
  const issue = {
    trusted: () => authority.issue({ names }),
    'self-signed': () => selfSigned({ names }),
    'wrong-name': () => authority.issue({ names: ['elsewhere.example'] }),
    expired: () => authority.issue({ names, notBefore: minutesAgo(60), notAfter: minutesAgo(1) }),
  }
  const { certificate, key } = issue[tls]()
  return { cert: certificate, key }
}

/** The whole body, or nothing when the caller went away before its end. */
async function readAll(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  try {
    for await (const chunk of request) chunks.push(chunk)
    return Buffer.concat(chunks)
  } catch {
    return undefined
  }
}
