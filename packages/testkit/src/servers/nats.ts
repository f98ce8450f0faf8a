import { readComposeImage } from './compose-image.ts'
import { findContainerProblem } from './container.ts'
import { findNatsServer, findRequestedNats } from './nats-binary.ts'
import { startNatsContainer } from './nats-container.ts'
import { startNatsProcess } from './nats-process.ts'
import { readNatsRelease } from './nats-release.ts'

export { fetchNatsRelease, findNatsServer } from './nats-binary.ts'
export { readNatsRelease } from './nats-release.ts'

export type NatsOptions = {
  /** The folder of the streams. Default: a temporary folder, in memory if possible. */
  storeDir?: string
  /** The port on 127.0.0.1. Default: a free port. */
  port?: number
  /** The path of a nats-server. Default: the result of `findNatsServer`. */
  binary?: string
  /** Stop with SIGTERM, so that no acknowledged message is lost. Requires `storeDir`. */
  persistent?: boolean
  /** Additional configuration, such as accounts or a cluster. */
  configuration?: string
  /** The storage limit of JetStream in bytes, to test a full disk. */
  maxStoreBytes?: number
  /** A server that is not restarted: that of TEST_NATS_URL, else a container, else a process. */
  shared?: boolean
  /** Receives a line about the server that is used. */
  log?: (line: string) => void
}

export type Nats = {
  url: string
  port: number
  source: 'env' | 'container' | 'binary'
  /** The process id, version and home folder; undefined for an external server. */
  readonly pid: number | undefined
  version: string | undefined
  storeDir: string | undefined
  /** Sends a signal, by default SIGKILL, and waits for the exit, except after SIGSTOP and SIGCONT. */
  kill(signal?: NodeJS.Signals): Promise<void>
  /** Restarts the server on the same port; with `wipe`, without its data. */
  restart(options?: { wipe?: boolean }): Promise<void>
  /** Stops the server and removes a temporary folder. Does nothing to a server named by the environment. */
  stop(): Promise<void>
}

/**
 * Starts a NATS server with JetStream and `max_payload` 1 MB, by default as a process, which is ready after about 50
 * ms. It is stopped when this process exits.
 *
 * @throws Error if there is no program, the port or the folder is in use, or the server does not start
 */
export async function startNats(options: NatsOptions = {}): Promise<Nats> {
  const { log = () => {}, shared = false, binary, ...processOptions } = options
  if (processOptions.persistent && processOptions.storeDir === undefined)
    throw new Error('a persistent NATS requires a storeDir')
  if (shared) {
    const configuredUrl = process.env.TEST_NATS_URL
    if (configuredUrl)
      return {
        url: configuredUrl,
        port: Number(new URL(configuredUrl).port || 4222),
        source: 'env',
        ...externalServer,
        stop: async () => {},
      }
    const container = await tryContainer(log)
    if (container) return container
  }
  const server = await startNatsProcess(binary ?? (await findNatsServer({ log })), processOptions)
  const release = readNatsRelease()
  const difference = server.version === release ? '' : `, where production runs ${release}`
  const folder = processOptions.storeDir ? `, data in ${processOptions.storeDir}` : ''
  log(`NATS: ${server.version}${difference}, on 127.0.0.1:${server.port}${folder}`)
  const { port, storeDir, version, stop } = server
  return {
    url: `nats://127.0.0.1:${port}`,
    port,
    source: 'binary',
    get pid() {
      return server.pid()
    },
    version,
    storeDir,
    kill: (signal = 'SIGKILL') => server.kill(signal),
    restart: ({ wipe = false } = {}) => server.restart(wipe),
    stop,
  }
}

async function tryContainer(log: (line: string) => void): Promise<Nats | undefined> {
  const reason = findRequestedNats() ?? findContainerProblem(readComposeImage('nats'))
  if (reason !== undefined) {
    log(`NATS: ${reason}; using a local program`)
    return undefined
  }
  try {
    const { image, ...server } = await startNatsContainer()
    log(`NATS: container ${image} on ${server.host}:${server.port}`)
    return { ...server, source: 'container', ...externalServer }
  } catch (error) {
    log(`NATS: the container failed (${error instanceof Error ? error.message : error}); using a local program`)
    return undefined
  }
}

const rejectShared = async () => {
  throw new Error('this NATS server is shared: start another with startNats() to stop or wipe it')
}
const externalServer = {
  pid: undefined,
  version: undefined,
  storeDir: undefined,
  kill: rejectShared,
  restart: rejectShared,
}
