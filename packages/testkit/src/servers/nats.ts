import { findContainerProblem, startContainer } from './container.ts'
import { findNatsServer, findRequestedNats } from './nats-binary.ts'
import { startNatsProcess } from './nats-process.ts'

export { findNatsServer } from './nats-binary.ts'

export type NatsOptions = {
  /** Folder that keeps the streams; without it, a scratch folder (in memory where there is room), removed at the end. */
  storeDir?: string
  /** Port on 127.0.0.1; without it, a free one. */
  port?: number
  /** Path of a nats-server; without it, `findNatsServer` looks for one. */
  binary?: string
  /** An orderly end, so that nothing acknowledged is lost. Needs `storeDir`. */
  persistent?: boolean
  /** Lines of configuration beside its own: accounts, a cluster. */
  configuration?: string
  /** What JetStream may store, in bytes: small, for the test of a full disk. */
  maxStoreBytes?: number
  /** Any server will do, nobody restarts it: TEST_NATS_URL, else a container, else a server of our own. */
  shared?: boolean
  /** Takes one line about what is done and why. */
  log?: (line: string) => void
}

export type Nats = {
  url: string
  port: number
  source: 'env' | 'container' | 'binary'
  /** Process id, version and home folder of a server of our own; of others the answer is `undefined`. */
  readonly pid: number | undefined
  version: string | undefined
  storeDir: string | undefined
  /** Sends a signal (default SIGKILL, a crash) and waits for the end; SIGSTOP and SIGCONT only pause and resume. */
  kill(signal?: NodeJS.Signals): Promise<void>
  /** Stops it if it runs and starts it again on the same port; with `wipe`, as if its disk had been lost. */
  restart(options?: { wipe?: boolean }): Promise<void>
  /** Ends it; streams in a scratch folder are gone. A server named by the environment is left alone. */
  stop(): Promise<void>
}

const image = 'nats:2.12-alpine'

/**
 * A real NATS server with JetStream and `max_payload` 1 MB. By default one of its own from a local binary, ready after
 * about 50 ms. It ends with this process.
 *
 * @throws Error when there is no binary, the port is taken, the folder is in use, or the server does not come up
 */
export async function startNats(options: NatsOptions = {}): Promise<Nats> {
  const { log = () => {}, shared = false, binary, ...processOptions } = options
  if (processOptions.persistent && processOptions.storeDir === undefined)
    throw new Error('a persistent NATS needs a storeDir')
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
  log(
    `NATS: ${server.version} on 127.0.0.1:${server.port}${processOptions.storeDir ? `, data in ${processOptions.storeDir}` : ''}`,
  )
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
  const reason = findRequestedNats() ?? findContainerProblem(image)
  if (reason !== undefined) {
    log(`NATS: ${reason}, so a local binary`)
    return undefined
  }
  try {
    const { host, port, stop } = await startContainer({ image, port: 4222, command: ['-js', '-sd', '/tmp/jetstream'] })
    log(`NATS: container ${image} on ${host}:${port}`)
    return { url: `nats://${host}:${port}`, port, source: 'container', ...externalServer, stop }
  } catch (error) {
    log(`NATS: the container failed (${error instanceof Error ? error.message : error}), so a local binary`)
    return undefined
  }
}

const rejectShared = async () => {
  throw new Error('this NATS is shared: a test that stops or wipes one starts its own with startNats()')
}
const externalServer = {
  pid: undefined,
  version: undefined,
  storeDir: undefined,
  kill: rejectShared,
  restart: rejectShared,
}
