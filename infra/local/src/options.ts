import { resolve } from 'node:path'
import { type ParseArgsConfig, parseArgs } from 'node:util'
import { isSigner, type SignerName } from '@wp/contracts'
import type { PortOptions } from './ports.ts'
import { UsageError } from './usage-error.ts'

export interface LocalOptions extends PortOptions {
  /** Everything the fleet keeps between runs. */
  dataDir: string
  /** Known to the others but not started: somebody runs them by hand. */
  without: readonly SignerName[]
  /** What auth is told about signing people in, by its own variables. */
  signIn: Readonly<Record<string, string>>
  /** All log lines to the terminal, not warnings and errors alone. */
  verbose: boolean
}

export const usage = `npm start -- [options]
  --port <n>            the edge, where the API answers (PORT, 8080)
  --base-port <n>       the edge's admin side; the services take the ports after it (BASE_PORT, 8100)
  --postgres-port <n>   PostgreSQL (POSTGRES_PORT, 15432)
  --nats-port <n>       NATS (NATS_PORT, 14222)
  --data-dir <folder>   where everything is kept between runs (DATA_DIR, .local)
  --without <names>     services, or gateway, that you start yourself, separated by commas
  --verbose             all log lines on the terminal

  SIGNUP, REDIRECT_URIS, MAIL_FROM, GOOGLE_CLIENT_ID, GOOGLE_CLIENT_SECRET, GITHUB_CLIENT_ID and
  GITHUB_CLIENT_SECRET of the environment are handed on to auth.
`

const portOptions = {
  port: { option: 'port', variable: 'PORT', defaultPort: 8080 },
  basePort: { option: 'base-port', variable: 'BASE_PORT', defaultPort: 8100 },
  postgresPort: { option: 'postgres-port', variable: 'POSTGRES_PORT', defaultPort: 15432 },
  natsPort: { option: 'nats-port', variable: 'NATS_PORT', defaultPort: 14222 },
} as const

type Env = Readonly<Record<string, string | undefined>>

const text = { type: 'string' } as const
const flag = { type: 'boolean' } as const

/** The options of a fleet as `parseArgs` of `node:util` takes them. */
export const localFlags = {
  ...{ port: text, 'base-port': text, 'postgres-port': text, 'nats-port': text, 'data-dir': text, without: text },
  ...{ verbose: flag, help: flag },
}

/** What `parseArgs` makes of them. */
export type LocalFlags = { [Name in Exclude<keyof typeof localFlags, 'verbose' | 'help'>]?: string | undefined } & {
  verbose?: boolean | undefined
}

/**
 * Reads a command line.
 * @throws UsageError naming the option that is not known or has no value
 */
export function readFlags<Flags extends NonNullable<ParseArgsConfig['options']>>(
  args: readonly string[],
  flags: Flags,
) {
  try {
    return parseArgs({ args: [...args], options: flags, strict: true }).values
  } catch (cause) {
    throw new UsageError(cause instanceof Error ? cause.message : String(cause), { cause })
  }
}

/**
 * What is asked of a fleet: the command line first, then the environment. Folders on the command line are relative to
 * where the user stands.
 * @throws UsageError naming the option or variable that cannot be used
 */
export function localOptions(flags: LocalFlags, env: Env, root: string): LocalOptions {
  const port = ({ option, variable, defaultPort }: (typeof portOptions)[keyof typeof portOptions]) =>
    readPort(flags[option], `--${option}`) ?? readPort(env[variable], variable) ?? defaultPort
  const folder = flags['data-dir'] ?? (env.DATA_DIR === '' ? undefined : env.DATA_DIR)
  return {
    port: port(portOptions.port),
    basePort: port(portOptions.basePort),
    postgresPort: port(portOptions.postgresPort),
    natsPort: port(portOptions.natsPort),
    dataDir: folder === undefined ? resolve(root, '.local') : resolve(env.INIT_CWD ?? '.', folder),
    without: (flags.without ?? '')
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '')
      .map(parseSigner),
    signIn: readSignInVariables(env),
    verbose: flags.verbose ?? false,
  }
}

const signInVariables = [
  ...['SIGNUP', 'REDIRECT_URIS', 'MAIL_FROM'],
  ...['GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET', 'GITHUB_CLIENT_ID', 'GITHUB_CLIENT_SECRET'],
]

const readSignInVariables = (env: Env): Record<string, string> =>
  Object.fromEntries(
    signInVariables.flatMap((name) => {
      const value = env[name]
      return value === undefined || value === '' ? [] : [[name, value]]
    }),
  )

/** The highest that leaves room for the services above a base port. */
const highestPort = 65_500

/** @throws UsageError */
export function readPort(text: string | undefined, name: string): number | undefined {
  if (text === undefined || text === '') return undefined
  const port = /^\d+$/.test(text) ? Number(text) : Number.NaN
  if (!(port >= 1 && port <= highestPort))
    throw new UsageError(`${name} must be a port from 1 to ${highestPort}, not ${text}`)
  return port
}

function parseSigner(name: string): SignerName {
  if (!isSigner(name)) throw new UsageError(`--without: there is no service ${name}`)
  return name
}
