import { relative } from 'node:path'
import { serviceNames } from '@wp/contracts'
import type { LocalFleet } from './fleet.ts'
import { type Listener, portOf } from './ports.ts'

/** What somebody needs to know to use a fleet that is up. */
export function formatStartSummary(
  { credentials, ports, folder }: Omit<LocalFleet, 'stop'>,
  upSeconds: number,
): string {
  const here = (path: string) => (relative('', path).startsWith('..') ? path : relative('', path))
  const json = `-H 'content-type: application/json'`
  const port = (name: Listener) => portOf(ports, name)
  const rows: [string, string][] = [
    ['API', `${credentials.base_url}   reference: ${credentials.base_url}/docs`],
    ['services', serviceNames.map((name) => `${name} ${port(name)}`).join(', ')],
    ['metrics', `http://127.0.0.1:${port('admin')}/metrics, and /metrics of every service`],
    ['PostgreSQL', `127.0.0.1:${port('postgres')}, user postgres, password in ${here(folder.postgres)}/password`],
    ['NATS', `nats://127.0.0.1:${port('nats')}`],
    ['mail', `${credentials.base_url}/dev/mail, and below`],
    ['logs', here(folder.logFile)],
    ['', ''],
    ['workspace_id', credentials.workspace_id],
    ['client_id', credentials.client_id],
    ['client_secret', credentials.client_secret],
    ['api_key', credentials.api_key],
    ['owner_email', credentials.owner_email],
    ['kept in', here(folder.credentialsFile)],
  ]
  return [
    `up in ${upSeconds.toFixed(1)} s`,
    '',
    ...rows.map(([name, value]) => `  ${name.padEnd(14)}${value}`.trimEnd()),
    '',
    '  try   npm run demo',
    `  or    curl -s ${credentials.base_url}/v1/auth/me -H 'x-api-key: ${credentials.api_key}'`,
    '',
    `  sign in   curl -s ${credentials.base_url}/v1/auth/login ${json} -d '{"email":"${credentials.owner_email}"}'`,
    `            curl -s ${credentials.base_url}/v1/auth/verify ${json} -d '{"login_id":"…","code":"…"}'`,
    '            with the login_id of the first answer and the code of the mail, which comes to the terminal',
    '',
    '  Ctrl-C stops it.',
    '',
  ].join('\n')
}
