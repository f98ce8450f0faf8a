import { join } from 'node:path'
import { seed } from '@wp/auth-service'
import { type ServiceName, type SignerName, serviceNames, signerNames } from '@wp/contracts'
import { createLogger, ensureKeyFiles } from '@wp/service'
import {
  createMailboxHandler,
  type Fleet,
  type FleetOptions,
  type Nats,
  type Postgres,
  preload,
  type ReceivedMail,
  startFleet,
  startMailbox,
  startNats,
  startPostgres,
} from '@wp/testkit'
import { type Credentials, loadOrCreateCredentials } from './data-dir/credentials.ts'
import {
  type DataDir,
  formatEnvFile,
  loadOrCreateKek,
  loadOrCreatePasswords,
  resolveDataDir,
  writePrivateFile,
} from './data-dir/data-dir.ts'
import { requireFreeSpace } from './data-dir/free-space.ts'
import { acquireLock } from './data-dir/lock.ts'
import { openLogFile } from './data-dir/log-file.ts'
import { prepareDatabases } from './databases.ts'
import { type LocalEnvironmentName, localEnvironments } from './environments.ts'
import type { LocalOptions } from './options.ts'
import { outboundSettings } from './outbound-settings.ts'
import { assignPorts, type Ports, portOf, portsTakenMessage, requireFreePorts } from './ports.ts'
import { readExample, readServiceVariables } from './service-variables.ts'
import { UsageError } from './usage-error.ts'

const root = join(import.meta.dirname, '../../..')

/** The running fleet. */
export interface LocalFleet {
  environment: LocalEnvironmentName
  credentials: Credentials
  ports: Ports
  folder: DataDir
  /** The place where mail is shown, or the configured SMTP server. */
  mail: string
  /** Drains the processes, then stops the broker, then the database. */
  stop(): Promise<void>
}

export interface StartContext {
  /** Prints a line of progress. */
  print(line: string): void
  /** Aborting it during the start stops what has been started. */
  signal: AbortSignal
}

/**
 * Starts the platform on this machine: PostgreSQL and NATS with persistent data, every service and the edge in this
 * process, and a first workspace. Longer than most functions: it is the list of the parts, in the order of their start.
 * @throws UsageError if the user can correct the cause. Whatever was started is stopped before an error is thrown.
 */
export async function startLocalFleet(options: LocalOptions, { print, signal }: StartContext): Promise<LocalFleet> {
  const { passed, ignored } = readServiceVariables(options.env, readExample(root))
  if (ignored.length > 0) print(`ignored variables, which npm start sets or does not use: ${ignored.join(', ')}`)
  const ports = assignPorts(options)
  const folder = resolveDataDir(options.dataDir)
  requireFreeSpace(folder)
  const { host, cell, variables } = localEnvironments[options.environment]
  const baseUrl = `http://${host}:${options.port}`
  const cleanup = new AsyncDisposableStack()
  try {
    const lock = acquireLock(folder.lockFile, baseUrl)
    cleanup.defer(() => lock.release())
    await requireFreePorts(ports, ['gateway', 'admin', ...serviceNames])
    const logs = openLogFile(folder.logFile, { verbose: options.verbose, printLine: print })
    cleanup.defer(() => logs.close())
    const loading = preload(
      signerNames.filter((name) => !options.without.includes(name)),
      loadMember,
    )
    const servers = await startServers(folder, ports, cleanup, print)
    signal.throwIfAborted()
    const databases = await prepareDatabases(servers.postgres.url, loadOrCreatePasswords(folder, serviceNames))
    print(describeMigrations(databases))
    signal.throwIfAborted()
    const mailbox = await startMailbox({ onMail: (mail) => printMail(mail, print) })
    cleanup.defer(() => mailbox.close())
    await ensureKeyFiles(folder.keys)
    await loading
    const logLevel = passed.LOG_LEVEL ?? 'info'
    const outbound = outboundSettings(folder, passed, options.workingFolder)
    const fleet = await startFleet({
      load: loadMember,
      settings: {
        ...cell,
        baseUrl,
        natsUrl: servers.nats.url,
        keysDirectory: folder.keys,
        kek: loadOrCreateKek(folder),
        logLevel,
        outbound,
      },
      port: (name) => portOf(ports, name),
      database: async (service) => addressesOf(databases, service),
      excluded: options.without,
      env: environments({ ...variables, ...passed, ...outbound }, { SMTP_URL: mailbox.url, ...passed }),
      routes: { '/dev/mail': createMailboxHandler(mailbox) },
      logger: (name) => createLogger(name, logLevel, logs),
    })
    cleanup.defer(() => fleet.stop())
    for (const name of signerNames)
      writePrivateFile(join(folder.envFiles, `${name}.env`), formatEnvFile(fleet.env(name)))
    print(describeMembers(options))
    const credentials = loadOrCreateCredentials(folder.credentialsFile, baseUrl, cell)
    await seedFirstWorkspace(fleet, credentials)
    signal.throwIfAborted()
    lock.markReady()
    const mail = passed.SMTP_URL ? 'sent through SMTP_URL' : `${baseUrl}/dev/mail, and printed here`
    const { environment } = options
    return { environment, credentials, ports, folder, mail, stop: () => cleanup.disposeAsync() }
  } catch (error) {
    await cleanup.disposeAsync()
    throw error
  }
}

/** Returns the same additional environment for every process, and the mail server for those that send mails. */
function environments(all: Record<string, string>, mail: Record<string, string>): NonNullable<FleetOptions['env']> {
  const withMail = { ...mail, ...all }
  const others = Object.fromEntries(signerNames.map((name) => [name, all]))
  return { ...others, auth: withMail, notifications: withMail }
}

/** Starts both servers concurrently. A server that has started is stopped by `cleanup` if the other fails. */
async function startServers(
  folder: DataDir,
  ports: Ports,
  cleanup: AsyncDisposableStack,
  print: (line: string) => void,
) {
  const [postgres, nats] = await Promise.allSettled<[Promise<Postgres>, Promise<Nats>]>([
    startPostgres({ dataDir: folder.postgres, port: portOf(ports, 'postgres'), persistent: true }),
    startNats({ storeDir: folder.nats, port: portOf(ports, 'nats'), persistent: true, log: print }),
  ])
  for (const server of [postgres, nats]) if (server.status === 'fulfilled') cleanup.defer(() => server.value.stop())
  const taken = [
    ...(isPortTaken(postgres) ? (['postgres'] as const) : []),
    ...(isPortTaken(nats) ? (['nats'] as const) : []),
  ]
  if (taken.length > 0) throw new UsageError(portsTakenMessage(ports, taken))
  if (postgres.status === 'rejected') throw postgres.reason
  if (nats.status === 'rejected') throw nats.reason
  print(`PostgreSQL on 127.0.0.1:${postgres.value.port}`)
  return { postgres: postgres.value, nats: nats.value }
}

function isPortTaken(server: PromiseSettledResult<unknown>): boolean {
  const error: unknown = server.status === 'rejected' ? server.reason : undefined
  const cause = error instanceof Error ? error.cause : undefined
  return cause instanceof Error && 'code' in cause && cause.code === 'EADDRINUSE'
}

/** Prints the code and the link of a sign-in mail. */
function printMail({ to, subject, code, link }: ReceivedMail, print: (line: string) => void): void {
  print(`mail to ${to}: ${subject}${code === null ? '' : `, code ${code}`}${link === null ? '' : `, link ${link}`}`)
}

type Databases = Awaited<ReturnType<typeof prepareDatabases>>

function addressesOf(databases: Databases, service: ServiceName) {
  const found = databases.find((database) => database.service === service)
  if (found === undefined) throw new Error(`the database of ${service} was not prepared`)
  return { url: found.url, workerUrl: found.workerUrl }
}

async function seedFirstWorkspace(fleet: Fleet, credentials: Credentials): Promise<void> {
  await seed(
    // Errors are thrown; log lines would appear between the lines of the start.
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

/** Imports the code of a member. The names of the modules are written out, so that they can be bundled. */
export const loadMember = (name: SignerName): Promise<unknown> => modules[name]()

const modules: Record<SignerName, () => Promise<unknown>> = {
  ai: () => import('@wp/ai-service'),
  audit: () => import('@wp/audit-service'),
  auth: () => import('@wp/auth-service'),
  billing: () => import('@wp/billing-service'),
  console: () => import('@wp/console-service'),
  data: () => import('@wp/data-service'),
  gateway: () => import('@wp/gateway'),
  integrations: () => import('@wp/integrations-service'),
  mcp: () => import('@wp/mcp-service'),
  notifications: () => import('@wp/notifications-service'),
  solutions: () => import('@wp/solutions-service'),
  system: () => import('@wp/system-service'),
  'webhook-delivery': () => import('@wp/webhook-delivery-service'),
}
