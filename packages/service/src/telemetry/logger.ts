import { type DestinationStream, type Logger, pino } from 'pino'

export type { Logger } from 'pino'

const secretNames = [
  'authorization',
  'cookie',
  'password',
  'secret',
  'client_secret',
  'access_token',
  'refresh_token',
  'id_token',
  'api_key',
  'token',
  'login_code',
  'code_verifier',
  'value_sealed',
]
const camelCase = (name: string) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
const paths = [...new Set(secretNames.flatMap((name) => [name, camelCase(name)]))].flatMap((name) => [
  name,
  `*.${name}`,
  `*.*.${name}`,
])
// a `code` at the top is the code of an error and stays readable; one in a request can be a sign-in code
const codePaths = ['body.code', 'query.code'].flatMap((path) => [path, `*.${path}`, `*.*.${path}`])
const headerPaths = ['["x-api-key"]', '["set-cookie"]', '["x-workspace-scope"]', '["idempotency-key"]'].flatMap(
  (name) => [`headers${name}`, `*.headers${name}`],
)

/** Creates a JSON logger whose lines have the name of the process. Values under names of secrets are masked. */
export function createLogger(name: string, level: string, destination?: DestinationStream): Logger {
  const options = {
    name,
    level,
    base: { service: name },
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: [...paths, ...codePaths, ...headerPaths], censor: '[redacted]' },
  }
  return destination === undefined ? pino(options) : pino(options, destination)
}
