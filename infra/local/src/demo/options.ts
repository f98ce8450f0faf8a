import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { type LocalOptions, localFlags, localOptions, readFlags, readPort } from '../options.ts'
import { UsageError } from '../usage-error.ts'
import type { ColumnNames } from './csv.ts'

export interface DemoOptions {
  /** A running platform. Undefined: the local fleet, which is started if it does not run. */
  remote: { baseUrl: string; clientId: string; clientSecret: string } | undefined
  local: LocalOptions
  /** Show the workplace with a made company, or remove that company, instead of a forecast. */
  workplace: 'show' | 'remove' | undefined
  /** A CSV file. Undefined: a sample. */
  csv: string | undefined
  columns: Partial<ColumnNames>
  timezone: string
  /** The address of the demo's webhook receiver, and the folder of the authority that signs its certificate. */
  webhook: { host: string; port: number; authorityFolder: string }
}

export const usage = `npm run demo -- [options]
  --workplace             the workplace instead: how full the buildings of a made company are, from its badge events
  --remove                with --workplace: deletes the made company, also if npm start -- --sample loaded it
  --csv <file>            counts to forecast (default: a sample building)
  --timestamp <column>    column of the timestamps (timestamp)
  --value <column>        column of the counts (the first column that contains only numbers)
  --group <column>        column with one series per value (building, if there is one)
  --timezone <zone>       time zone of timestamps without an offset (that of this machine)
  --base-url <url>        a running platform (BASE_URL); requires the next two
  --client-id <id>        client id of a service principal (CLIENT_ID)
  --client-secret <text>  its secret (CLIENT_SECRET)
  --webhook-host <name>   host name under which the platform reaches this machine (WEBHOOK_HOST, 127.0.0.1)
  --webhook-port <n>      port of the webhook receiver (WEBHOOK_PORT, any free port)
  --authority <folder>    folder of ca.pem and ca.key, which the platform trusts (AUTHORITY_DIR, the data folder)

If no local fleet is running, the demo starts one and stops it at the end. It accepts the options of npm start.
`

const text = { type: 'string' } as const
const flag = { type: 'boolean' } as const
const flags = {
  ...localFlags,
  workplace: flag,
  remove: flag,
  csv: text,
  timestamp: text,
  value: text,
  group: text,
  timezone: text,
  'base-url': text,
  'client-id': text,
  'client-secret': text,
  'webhook-host': text,
  'webhook-port': text,
  authority: text,
}

type Env = Readonly<Record<string, string | undefined>>

/**
 * Returns the options of the demo: those of the command line, then those of the environment, then the defaults.
 * @param machineZone the default time zone
 * @returns `help` if the usage was requested
 * @throws UsageError naming the option that is invalid
 */
export function demoOptions(
  args: readonly string[],
  env: Env,
  { root, machineZone }: { root: string; machineZone: string },
): DemoOptions | 'help' {
  const given = readFlags(args, flags, 'npm run demo -- --help')
  if (given.help === true) return 'help'
  const local = localOptions(given, env, root)
  const path = (name: string) => resolve(env.INIT_CWD ?? '.', name)
  const authority = given.authority ?? env.AUTHORITY_DIR
  const { timestamp, value, group } = given
  return {
    remote: readRemote({
      baseUrl: given['base-url'] ?? env.BASE_URL,
      clientId: given['client-id'] ?? env.CLIENT_ID,
      clientSecret: given['client-secret'] ?? env.CLIENT_SECRET,
    }),
    local,
    workplace: readWorkplace(given),
    csv: given.csv === undefined ? undefined : path(given.csv),
    columns: {
      ...(timestamp === undefined ? {} : { timestamp }),
      ...(value === undefined ? {} : { value }),
      ...(group === undefined ? {} : { group }),
    },
    timezone: requireTimeZone(given.timezone ?? machineZone),
    webhook: {
      host: given['webhook-host'] ?? env.WEBHOOK_HOST ?? '127.0.0.1',
      port: readPort(given['webhook-port'], '--webhook-port') ?? readPort(env.WEBHOOK_PORT, 'WEBHOOK_PORT') ?? 0,
      authorityFolder: authority === undefined ? local.dataDir : path(authority),
    },
  }
}

function readWorkplace({
  workplace = false,
  remove = false,
  csv,
}: Partial<Record<'workplace' | 'remove', boolean>> & { csv?: string }) {
  if (remove && !workplace) throw new UsageError('--remove requires --workplace')
  if (workplace && csv !== undefined) throw new UsageError('--workplace reads its own files: leave out --csv')
  return workplace ? (remove ? 'remove' : 'show') : undefined
}

type Remote = NonNullable<DemoOptions['remote']>

function readRemote({ baseUrl, clientId, clientSecret }: { [Name in keyof Remote]: string | undefined }) {
  if (!baseUrl) return undefined
  if (!URL.canParse(baseUrl)) throw new UsageError(`--base-url: ${baseUrl} is not a URL`)
  if (!clientId || !clientSecret)
    throw new UsageError('--base-url requires --client-id and --client-secret (or CLIENT_ID and CLIENT_SECRET)')
  return { baseUrl, clientId, clientSecret }
}

function requireTimeZone(name: string): string {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return name
  } catch (cause) {
    throw new UsageError(`--timezone: ${name} is not an IANA time zone, such as Europe/Berlin`, { cause })
  }
}

/** Returns true if the host is a loopback address. */
export const isLoopback = (host: string) =>
  host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))
