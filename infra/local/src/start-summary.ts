import { relative } from 'node:path'
import { serviceNames } from '@wp/contracts'
import type { LocalFleet } from './fleet.ts'
import { type Listener, portOf } from './ports.ts'

/** Formats the addresses and credentials of a running fleet, with commands to try. */
export function formatStartSummary(fleet: Omit<LocalFleet, 'stop'>, startSeconds: number): string {
  const { credentials, ports, folder, mail } = fleet
  const port = (name: Listener) => portOf(ports, name)
  const json = `-H 'content-type: application/json'`
  const rows: [string, string][] = [
    ['API', `${credentials.base_url}   reference: ${credentials.base_url}/docs`],
    ['services', serviceNames.map((name) => `${name} ${port(name)}`).join(', ')],
    ['metrics', `http://127.0.0.1:${port('admin')}/metrics, and /metrics of every service`],
    ['PostgreSQL', `127.0.0.1:${port('postgres')}, user postgres, password in ${shorten(folder.postgres)}/password`],
    ['NATS', `nats://127.0.0.1:${port('nats')}`],
    ['mail', mail],
    ['logs', shorten(folder.logFile)],
    ['', ''],
    ['workspace_id', credentials.workspace_id],
    ['client_id', credentials.client_id],
    ['client_secret', credentials.client_secret],
    ['api_key', credentials.api_key],
    ['owner_email', credentials.owner_email],
    ['stored in', shorten(folder.credentialsFile)],
  ]
  return [
    `ready after ${startSeconds.toFixed(1)} s`,
    '',
    ...rows.map(([name, value]) => `  ${name.padEnd(14)}${value}`.trimEnd()),
    '',
    '  try   npm run demo',
    `  or    curl -s ${credentials.base_url}/v1/auth/me -H 'x-api-key: ${credentials.api_key}'`,
    '',
    `  sign in   curl -s ${credentials.base_url}/v1/auth/login ${json} -d '{"email":"${credentials.owner_email}"}'`,
    `            curl -s ${credentials.base_url}/v1/auth/verify ${json} -d '{"login_id":"…","code":"…"}'`,
    '            with the login_id of the first response and the code of the mail',
    '',
    ...webhookLines(shorten(folder.root)),
    '',
    '  Press Ctrl-C to stop.',
    '',
  ].join('\n')
}

/** Explains how to receive webhooks on this machine; `authority` is the folder of ca.pem and ca.key. */
function webhookLines(authority: string): string[] {
  return [
    '  receive webhooks on this machine',
    '            Webhook endpoints must use HTTPS. Addresses on 127.0.0.1 are allowed, and certificates signed by',
    `            ${authority}/ca.pem or listed in OUTBOUND_CA_FILE are trusted. Create a certificate with`,
    '              openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=127.0.0.1 \\',
    '                -addext subjectAltName=IP:127.0.0.1 -addext basicConstraints=critical,CA:FALSE \\',
    `                -CA ${authority}/ca.pem -CAkey ${authority}/ca.key -keyout key.pem -out cert.pem`,
    '            and subscribe https://127.0.0.1:<port>/<path>. Without a receiver: subscribe with "delivery":"poll" and',
    '            read GET /v1/webhooks/webhooks/<webhook_id>/poll. See docs/receiving-webhooks.md.',
  ]
}

/** A path relative to the working directory, if it is below it. */
function shorten(path: string): string {
  const short = relative('', path)
  return short === '' || short.startsWith('..') ? path : short
}
