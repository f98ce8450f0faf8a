import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type SignerName, signerNames } from '@wp/contracts'
import {
  type FleetOptions,
  findFreePort,
  type Nats,
  type Postgres,
  type Receiver,
  startNats,
  startPostgres,
  startReceiver,
  startTestFleet,
  type TestFleet,
  testAuthority,
} from '@wp/testkit'
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts'

/** The whole platform as processes, with everything that faults need. */
export interface ChaosFleet {
  fleet: TestFleet
  postgres: Postgres
  /** Between the services and PostgreSQL. */
  databaseLink: TcpProxy
  nats: Nats
  /** Between the services and the broker. */
  brokerLink: TcpProxy
  /** The file system on which the broker stores its streams; undefined if no file system can be mounted here. */
  brokerDisk: LimitedFolder | undefined
  receiver: Receiver
  /** A checkout of the previous release, if there is one. */
  previous: string | undefined
  /** With a previous release: between the processes and those who call them, as a Service of Kubernetes is. */
  fronts: ReadonlyMap<SignerName, TcpProxy>
  stop(): Promise<void>
}

/** Short leases, retries and holds, so that recovery from a fault takes seconds. */
const env: NonNullable<FleetOptions['env']> = {
  solutions: { JOB_LEASE_SECONDS: '2' },
  data: { JOB_LEASE_SECONDS: '2' },
  'webhook-delivery': {
    ATTEMPT_TIMEOUT_SECONDS: '2',
    LEASE_SECONDS: '3',
    ACK_WAIT_SECONDS: '2',
    RETRY_SCHEDULE_SECONDS: Array.from({ length: 40 }, () => '0.5').join(),
    HOLD_SCHEDULE_SECONDS: '0.5',
  },
}

const brokerDiskBytes = 48 * 1024 ** 2

/** Starts the servers, all services and an edge. */
export async function startChaosFleet(log: (line: string) => void, previous: string | undefined): Promise<ChaosFleet> {
  const stops: (() => Promise<void> | void)[] = []
  const stop = async () => {
    for (const end of stops.reverse()) await end()
  }
  try {
    const brokerDisk = tryToLimit(log)
    if (brokerDisk !== undefined) stops.push(brokerDisk.remove)
    const [postgres, nats, receiver] = await Promise.all([
      startPostgres({ log }),
      startNats({ log, ...(brokerDisk === undefined ? {} : { storeDir: `${brokerDisk.path}/nats` }) }),
      startReceiver(),
    ])
    stops.push(postgres.stop, nats.stop, receiver.close)
    const [databaseLink, brokerLink] = await Promise.all([startTcpProxy(postgres.port), startTcpProxy(nats.port)])
    stops.push(databaseLink.close, brokerLink.close)
    const fronts: ReadonlyMap<SignerName, TcpProxy> = previous === undefined ? new Map() : await startFronts()
    stops.push(() => closeAll(fronts))
    process.env.WP_TEST_NATS = nats.url
    process.env.WP_TEST_RUN = `chaos${process.pid}`
    const fleet = await startTestFleet({
      processes: 'all',
      env: behindFronts(fronts),
      port: (name) => (name === 'admin' ? undefined : fronts.get(name)?.port),
      outbound: { OUTBOUND_CA_FILE: testAuthority().file },
      natsUrl: `nats://127.0.0.1:${brokerLink.port}`,
      postgresUrl: withPort(postgres.url, databaseLink.port),
    })
    stops.push(fleet.stop)
    return { fleet, postgres, databaseLink, nats, brokerLink, brokerDisk, receiver, previous, fronts, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

function tryToLimit(log: (line: string) => void): LimitedFolder | undefined {
  try {
    return createLimitedFolder(brokerDiskBytes)
  } catch (error) {
    log(`no file system can be mounted: ${error instanceof Error ? error.message.trim() : error}`)
    return undefined
  }
}

/** Starts a proxy to a free port for each process. */
async function startFronts(): Promise<Map<SignerName, TcpProxy>> {
  const start = async (name: SignerName) => [name, await startTcpProxy(await findFreePort())] as const
  return new Map(await Promise.all(signerNames.map(start)))
}

async function closeAll(fronts: ReadonlyMap<SignerName, TcpProxy>): Promise<void> {
  await Promise.all([...fronts.values()].map((front) => front.close()))
}

/** Lets each process that has a proxy listen behind it, and serve for a while after it is told to stop. */
function behindFronts(fronts: ReadonlyMap<SignerName, TcpProxy>): NonNullable<FleetOptions['env']> {
  const additional = [...fronts].map(
    ([name, { serverPort }]) => [name, { ...env[name], PORT: `${serverPort}`, DRAIN_SECONDS: '2' }] as const,
  )
  return { ...env, ...Object.fromEntries(additional) }
}

function withPort(address: string, port: number): string {
  const url = new URL(address)
  url.port = `${port}`
  return url.href
}

/** A folder of limited size. */
interface LimitedFolder {
  path: string
  /** Leaves no space in it. */
  fill(): void
  /** Frees what `fill` took. */
  free(): void
  remove(): void
}

/**
 * Mounts a small file system in memory, which needs the right to mount. It is unmounted when this process exits.
 * @throws Error if it cannot be mounted
 */
function createLimitedFolder(bytes: number): LimitedFolder {
  const path = mkdtempSync(join(tmpdir(), 'wp-chaos-'))
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes}`, 'tmpfs', path], { stdio: 'pipe' })
  const filler = join(path, 'filler')
  const remove = () => {
    process.removeListener('exit', remove)
    execFileSync('umount', ['--lazy', path], { stdio: 'pipe' })
    rmSync(path, { recursive: true, force: true })
  }
  process.once('exit', remove)
  return {
    path,
    fill() {
      const { bavail, bsize } = statfsSync(path)
      writeFileSync(filler, Buffer.alloc(bavail * bsize))
    },
    free: () => rmSync(filler, { force: true }),
    remove,
  }
}
