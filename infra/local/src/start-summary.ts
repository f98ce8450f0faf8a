import { join, relative } from 'node:path'
import { serviceNames } from '@wp/contracts'
import { type LocalEnvironmentName, localEnvironments } from './environments.ts'
import type { LocalFleet } from './fleet.ts'
import { type Listener, portOf } from './ports.ts'

/** Formats the addresses and credentials of a running fleet, with commands to try. */
export function formatStartSummary(fleet: Omit<LocalFleet, 'stop'>, startSeconds: number): string {
  const { environment, credentials, ports, folder, mail } = fleet
  const port = (name: Listener) => portOf(ports, name)
  const json = `-H 'content-type: application/json'`
  const rows: [string, string][] = [
    ['API', `${credentials.base_url}   reference: ${credentials.base_url}/docs`],
    ['console', `${credentials.base_url}/console/   sign in as ${credentials.owner_email}`],
    ['services', serviceNames.map((name) => `${name} ${port(name)}`).join(', ')],
    ['metrics', `http://127.0.0.1:${port('admin')}/metrics, and /metrics of every service`],
    [
      'PostgreSQL',
      `127.0.0.1:${port('postgres')}, user postgres, password in ${shortenPath(folder.postgres)}/password`,
    ],
    ['NATS', `nats://127.0.0.1:${port('nats')}`],
    ['mail', mail],
    ['logs', shortenPath(folder.logFile)],
    ['', ''],
    ['workspace_id', credentials.workspace_id],
    ['client_id', credentials.client_id],
    ['client_secret', credentials.client_secret],
    ['api_key', credentials.api_key],
    ['owner_email', credentials.owner_email],
    ['stored in', shortenPath(folder.credentialsFile)],
  ]
  return [
    `ready after ${startSeconds.toFixed(1)} s`,
    '',
    ...rows.map(([name, value]) => `  ${name.padEnd(14)}${value}`.trimEnd()),
    '',
    `  try   npm run demo${optionOf(environment, shortenPath(folder.root), folder.root)
      .replace(/^(?=-)/, ' -- ')
      .trimEnd()}`,
    `  or    curl -s ${credentials.base_url}/v1/auth/me -H 'x-api-key: ${credentials.api_key}'`,
    '',
    `  sign in   curl -s ${credentials.base_url}/v1/auth/login ${json} -d '{"email":"${credentials.owner_email}"}'`,
    `            curl -s ${credentials.base_url}/v1/auth/verify ${json} -d '{"login_id":"…","code":"…"}'`,
    '            with the login_id of the first response and the code of the mail',
    '',
    ...webhookLines(environment, folder.root),
    '',
    '  Press Ctrl-C to stop.',
    '',
  ].join('\n')
}

/** Explains how to receive webhooks on this machine; `dataDir` is the folder of ca.pem. */
function webhookLines(environment: LocalEnvironmentName, dataDir: string): string[] {
  const folder = shortenPath(dataDir)
  const option = optionOf(environment, folder, dataDir)
  return [
    '  webhooks  docs/local-webhooks.md shows how to receive them on this machine. The platform trusts certificates of',
    `            npm run certificate -- ${option}localhost`,
    `            which are written to ${folder}/certificates`,
  ]
}

/** Returns the option by which another command finds the data folder. */
function optionOf(environment: LocalEnvironmentName, shortFolder: string, dataDir: string): string {
  if (shortFolder !== join('.local', localEnvironments[environment].folder)) return `--data-dir ${dataDir} `
  return environment === 'development' ? '' : `--environment ${environment} `
}

/** Returns a path relative to the working directory, if it is below it. */
export function shortenPath(path: string): string {
  const short = relative('', path)
  return short === '' || short.startsWith('..') ? path : short
}
