import { join } from 'node:path'
import { seed } from '@wp/auth-service'
import { type ServiceName, type SignerName, serviceNames, signerNames } from '@wp/contracts'
import { createLogger, ensureKeyFiles } from '@wp/service'
import {
  createMailboxHandler,
  type Fleet,
  loadOrCreateAuthority,
  type Nats,
  type Postgres,
  preload,
  type ReceivedMail,
  startFleet,
  startMailbox,
  startNats,
  startPostgres,
} from '@wp/testkit'
import { type Credentials, homeCell, loadOrCreateCredentials } from './credentials.ts'
import { type DataDir, loadOrCreateKek, loadOrCreatePasswords, resolveDataDir, writePrivateFile } from './data-dir.ts'
import { prepareDatabases } from './databases.ts'
import { formatEnvFile } from './env-file.ts'
import { acquireLock } from './lock.ts'
import { openLogFile } from './log-file.ts'
import type { LocalOptions } from './options.ts'
import { assignPorts, type Listener, type Ports, portOf, portTakenMessage, requireFreePorts } from './ports.ts'
import { UsageError } from './usage-error.ts'

export interface LocalFleet {
  credentials: Credentials
  ports: Ports
  folder: DataDir
  /** Requests and jobs under way end or are handed back; then the broker stops, then the database. */
  stop(): Promise<void>
}

export interface StartContext {
  /** Takes a line on what is done. */
  print(line: string): void
  /** When it is aborted before all is up, what is up already stops. */
  signal: AbortSignal
}

/**
 * Starts everything on this machine: PostgreSQL and NATS with data that stays, every service and the edge in this
 * process, a first workspace.
 * @throws UsageError in one line for whoever starts it; any other error after stopping what was up
 */
export async function startLocalFleet(
  options: LocalOptions,
  { print: say, signal }: StartContext,
): Promise<LocalFleet> {
  const ports = assignPorts(options)
  const folder = resolveDataDir(options.dataDir)
  const baseUrl = `http://127.0.0.1:${options.port}`
  const cleanup = new AsyncDisposableStack()
  try {
    const lock = acquireLock(folder.lockFile, baseUrl)
    cleanup.defer(() => lock.release())
    await requireFreePorts(ports, ['gateway', 'admin', ...serviceNames])
    const logs = openLogFile(folder.logFile, { verbose: options.verbose, printLine: say })
    cleanup.defer(() => logs.close())
    const loading = preload(signerNames.filter((name) => !options.without.includes(name)))
    const servers = await startServers(folder, ports, cleanup, say)
    signal.throwIfAborted()
    const databases = await prepareDatabases(servers.postgres.url, loadOrCreatePasswords(folder, serviceNames))
    say(describeMigrations(databases))
    signal.throwIfAborted()
    const mailbox = await startMailbox({ onMail: (mail) => printMail(mail, say) })
    cleanup.defer(() => mailbox.close())
    await ensureKeyFiles(folder.keys)
    await loading
    const fleet = await startFleet({
      mode: 'in-process',
      settings: {
        ...homeCell,
        baseUrl,
        natsUrl: servers.nats.url,
        keysDirectory: folder.keys,
        kek: loadOrCreateKek(folder),
        logLevel: 'info',
        outbound: outboundSettings(folder),
      },
      port: (name) => portOf(ports, name),
      database: async (service) => addressesOf(databases, service),
      excluded: options.without,
      env: { auth: { ...options.signIn, SMTP_URL: mailbox.url } },
      routes: { '/dev/mail': createMailboxHandler(mailbox) },
      logger: (name) => createLogger(name, 'info', logs),
    })
    cleanup.defer(() => fleet.stop())
    for (const name of signerNames)
      writePrivateFile(join(folder.envFiles, `${name}.env`), formatEnvFile(fleet.env(name)))
    say(describeMembers(options))
    const credentials = loadOrCreateCredentials(folder.credentialsFile, baseUrl)
    await seedFirstWorkspace(fleet, credentials)
    signal.throwIfAborted()
    lock.markReady()
    return { credentials, ports, folder, stop: () => cleanup.disposeAsync() }
  } catch (error) {
    await cleanup.disposeAsync()
    throw error
  }
}

/** Both at once; when one fails the other is stopped by the caller, as all that runs. */
async function startServers(
  folder: DataDir,
  ports: Ports,
  cleanup: AsyncDisposableStack,
  print: (line: string) => void,
) {
  const [postgres, nats] = await Promise.allSettled<[Promise<Postgres>, Promise<Nats>]>([
    named('postgres', startPostgres({ dataDir: folder.postgres, port: portOf(ports, 'postgres'), persistent: true })),
    named('nats', startNats({ storeDir: folder.nats, port: portOf(ports, 'nats'), persistent: true, log: print })),
  ])
  for (const server of [postgres, nats]) if (server.status === 'fulfilled') cleanup.defer(() => server.value.stop())
  if (postgres.status === 'rejected') throw postgres.reason
  if (nats.status === 'rejected') throw nats.reason
  print(`PostgreSQL on 127.0.0.1:${postgres.value.port}`)
  return { postgres: postgres.value, nats: nats.value }

  function named<Server>(name: Listener, starting: Promise<Server>): Promise<Server> {
    return starting.catch((cause: unknown) => {
      throw isPortTaken(cause) ? new UsageError(portTakenMessage(ports, name), { cause }) : cause
    })
  }
}

function isPortTaken(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined
  return cause instanceof Error && 'code' in cause && cause.code === 'EADDRINUSE'
}

/** What somebody who signs in here is waiting for. */
function printMail({ to, subject, code, link }: ReceivedMail, print: (line: string) => void): void {
  print(`mail to ${to}: ${subject}${code === null ? '' : `, code ${code}`}${link === null ? '' : `, link ${link}`}`)
}

/** Webhook endpoints and sources on this machine may be called, and certificates of its own authority are trusted. */
function outboundSettings(folder: DataDir): Record<string, string> {
  return {
    OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8,::1/128',
    OUTBOUND_CA_FILE: loadOrCreateAuthority(folder.root).file,
  }
}

type Databases = Awaited<ReturnType<typeof prepareDatabases>>

function addressesOf(databases: Databases, service: ServiceName) {
  const found = databases.find((database) => database.service === service)
  if (found === undefined) throw new Error(`the database of ${service} was not prepared`)
  return { url: found.url, workerUrl: found.workerUrl }
}

async function seedFirstWorkspace(fleet: Fleet, credentials: Credentials): Promise<void> {
  await seed(
    // What goes wrong is thrown; its lines would come between ours.
    { ...fleet.env('auth'), LOG_LEVEL: 'silent' },
    {
      workspaceName: 'First workspace',
      ownerEmail: credentials.owner_email,
      workspaceId: credentials.workspace_id,
      clientId: credentials.client_id,
      clientSecret: credentials.client_secret,
      apiKey: credentials.api_key,
    },
  )
}

function describeMigrations(databases: Databases): string {
  const applied = databases.reduce((sum, database) => sum + database.applied.length, 0)
  return `${databases.length} databases ${applied === 0 ? 'up to date' : `migrated (${applied} migrations)`}`
}

function describeMembers({ without }: LocalOptions): string {
  const started = signerNames.filter((name: SignerName) => !without.includes(name))
  return `${started.join(', ')} started${without.length > 0 ? `; not ${without.join(', ')}` : ''}`
}
