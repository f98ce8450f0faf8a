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
  'api_key',
  'token',
  'code',
  'value_sealed',
]
const paths = secretNames.flatMap((name) => [name, `*.${name}`, `*.*.${name}`])
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
    redact: { paths: [...paths, ...headerPaths], censor: '[redacted]' },
  }
  return destination === undefined ? pino(options) : pino(options, destination)
}
