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
// a bare `code` is an error's, and has to stay readable; only what was sent to us can hold one that signs somebody in
const codePaths = ['body.code', 'query.code'].flatMap((path) => [path, `*.${path}`, `*.*.${path}`])
const headerPaths = ['["x-api-key"]', '["set-cookie"]', '["x-workspace-scope"]', '["idempotency-key"]'].flatMap(
  (name) => [`headers${name}`, `*.headers${name}`],
)

/** A JSON logger whose lines carry the process name; values under names that hold secrets are masked. */
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
