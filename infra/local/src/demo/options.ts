import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { type LocalOptions, localFlags, localOptions, readFlags, readPort } from '../options.ts'
import { UsageError } from '../usage-error.ts'
import type { ColumnNames } from './csv.ts'

export interface DemoOptions {
  /** A platform somewhere else; without it the local fleet, started where none runs. */
  remote: { baseUrl: string; clientId: string; clientSecret: string } | undefined
  local: LocalOptions
  /** A file; without it, a sample. */
  csv: string | undefined
  columns: Partial<ColumnNames>
  timezone: string
  /** How the platform reaches the demo's receiver of webhooks. */
  webhook: { host: string; port: number; authorityFolder: string }
}

export const usage = `npm run demo -- [options]
  --csv <file>            counts of your own (otherwise a sample building)
  --timestamp <column>    when it was counted (timestamp)
  --value <column>        what was counted (the first column of numbers)
  --group <column>        one series for each of its values (building, where there is one)
  --timezone <zone>       of timestamps without an offset (this machine's)
  --base-url <address>    a platform elsewhere (BASE_URL), with
  --client-id <id>        its service principal (CLIENT_ID)
  --client-secret <text>  (CLIENT_SECRET)
  --webhook-host <name>   under which the platform reaches this machine (WEBHOOK_HOST, 127.0.0.1)
  --webhook-port <n>      (WEBHOOK_PORT, any free one)
  --authority <folder>    of ca.pem and ca.key, which the platform trusts (AUTHORITY_DIR, the data folder)

Where no fleet runs here, one is started and stopped again, with the options of npm start.
`

const text = { type: 'string' } as const
const flags = {
  ...localFlags,
  ...{ csv: text, timestamp: text, value: text, group: text, timezone: text },
  ...{ 'base-url': text, 'client-id': text, 'client-secret': text },
  ...{ 'webhook-host': text, 'webhook-port': text, authority: text },
}

type Env = Readonly<Record<string, string | undefined>>

/**
 * Reads the command line, then the environment.
 * @param machineZone the time zone where none is asked for
 * @returns `help` when that was asked for
 * @throws UsageError naming what cannot be used
 */
export function demoOptions(
  args: readonly string[],
  env: Env,
  { root, machineZone }: { root: string; machineZone: string },
): DemoOptions | 'help' {
  const given = readFlags(args, flags)
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

type Remote = NonNullable<DemoOptions['remote']>

function readRemote({ baseUrl, clientId, clientSecret }: { [Name in keyof Remote]: string | undefined }) {
  if (!baseUrl) return undefined
  if (!URL.canParse(baseUrl)) throw new UsageError(`--base-url: ${baseUrl} is not an address`)
  if (!clientId || !clientSecret)
    throw new UsageError('--base-url needs --client-id and --client-secret (or CLIENT_ID and CLIENT_SECRET) beside it')
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

/** Whether only this machine can call that host. */
export const isLoopback = (host: string) =>
  host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))
