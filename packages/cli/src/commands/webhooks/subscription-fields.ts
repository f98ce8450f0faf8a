import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import type { Client } from '@wp/client'
import type { Context } from '../../context.ts'
import { CancelledError, UsageError } from '../../errors.ts'
import { definedMembers } from '../../flag-types.ts'
import type { SubscriptionFlags } from './subscription-flags.ts'

type NewSubscription = Parameters<Client['webhooks']['createSubscription']>[0]['body']
type Filter = NonNullable<NewSubscription['filter']>
type Authentication = NonNullable<NewSubscription['authentication']>

/** The fields of a subscription that flags name. */
export interface SubscriptionFields {
  events?: string[]
  description?: string
  filter?: Filter
  rate_limit?: number
  authentication?: Authentication
}

/**
 * Returns the fields that the flags name. Reads files, and the secret of an authentication from standard input.
 * @throws UsageError if flags contradict each other, or a file or a value cannot be read
 */
export async function readSubscriptionFields(context: Context, flags: SubscriptionFlags): Promise<SubscriptionFields> {
  const { events, description, filter, rateLimit } = flags
  const fields: SubscriptionFields = definedMembers({ events, description })
  if (filter !== undefined) fields.filter = await readFilter(filter)
  if (rateLimit !== undefined) fields.rate_limit = parseRate(rateLimit)
  const authentication = await readAuthentication(context, flags)
  return authentication === undefined ? fields : { ...fields, authentication }
}

async function readFilter(value: string): Promise<Filter> {
  const text = value.startsWith('@') ? await readTextFile(value.slice(1), '--filter') : value
  try {
    return JSON.parse(text) as Filter // the platform reports members that are not valid
  } catch (error) {
    throw new UsageError(`--filter is not valid JSON: ${error instanceof Error ? error.message : String(error)}`)
  }
}

function parseRate(text: string): number {
  const rate = text.trim() === '' ? Number.NaN : Number(text)
  if (!Number.isFinite(rate)) throw new UsageError(`--rate-limit must be a number, such as 5 or 0.5`)
  return rate
}

async function readAuthentication(context: Context, flags: SubscriptionFlags): Promise<Authentication | undefined> {
  requireTogether({ '--oauth-token-url': flags.oauthTokenUrl, '--oauth-client-id': flags.oauthClientId })
  requireTogether({ '--certificate': flags.certificate, '--private-key': flags.privateKey })
  const given = [flags.basicUser, flags.oauthTokenUrl, flags.certificate].filter((value) => value !== undefined)
  if (given.length > 1) throw new UsageError('give one of --basic-user, --oauth-token-url and --certificate')
  if (flags.basicUser !== undefined)
    return { type: 'basic', username: flags.basicUser, password: await readSecret(context, 'Password') }
  if (flags.certificate !== undefined && flags.privateKey !== undefined)
    return {
      type: 'mtls',
      certificate: await readTextFile(flags.certificate, '--certificate'),
      private_key: await readTextFile(flags.privateKey, '--private-key'),
    }
  return readOAuthClient(context, flags)
}

async function readOAuthClient(context: Context, flags: SubscriptionFlags): Promise<Authentication | undefined> {
  const { oauthTokenUrl, oauthClientId, oauthScope, oauthAudience, oauthClientAuthentication: way } = flags
  if (oauthTokenUrl === undefined || oauthClientId === undefined) {
    const [name] = Object.entries({ scope: oauthScope, audience: oauthAudience, 'client-authentication': way }).find(
      ([, value]) => value !== undefined,
    ) ?? [undefined]
    if (name !== undefined) throw new UsageError(`--oauth-${name} needs --oauth-token-url`)
    return undefined
  }
  if (way !== undefined && way !== 'basic' && way !== 'body')
    throw new UsageError('--oauth-client-authentication must be basic or body')
  return {
    type: 'oauth2_client_credentials',
    token_url: oauthTokenUrl,
    client_id: oauthClientId,
    client_secret: await readSecret(context, 'Client secret'),
    ...definedMembers({ scope: oauthScope, audience: oauthAudience }),
    ...(way === undefined ? {} : { client_authentication: way }),
  }
}

/** @throws UsageError if only one of two flags is given */
function requireTogether(flags: Readonly<Record<string, string | undefined>>): void {
  const names = Object.keys(flags)
  const missing = names.filter((name) => flags[name] === undefined)
  if (missing.length === 1) throw new UsageError(`give both ${names.join(' and ')}; ${missing.join()} is missing`)
}

async function readTextFile(path: string, flag: string): Promise<string> {
  return readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(`${flag}: ${path} cannot be read: ${error.code ?? error.message}`)
  })
}

type InputContext = Pick<Context, 'stdin' | 'process'>

/**
 * Reads a secret: the first line of standard input. On a terminal it asks for it and does not show what is typed.
 * Arguments of a command are no place for secrets, as other users of the machine and the history of the shell have
 * them.
 * @param name what is asked for, such as "Password"
 * @throws UsageError if the line is empty or there is none
 * @throws CancelledError after Ctrl-C or the end of the input on a terminal
 */
async function readSecret({ stdin, process: { stderr } }: InputContext, name: string): Promise<string> {
  const isTerminal = stdin.isTTY === true
  if (isTerminal) stderr.write(`${name}: `)
  const line = await readLine(stdin, isTerminal)
  if (isTerminal) stderr.write('\n')
  if (line === undefined && isTerminal) throw new CancelledError()
  if (line === undefined || line === '')
    throw new UsageError(`${name} is empty: write it to standard input, or type it on a terminal`)
  return line
}

/** Reads one line, without its end. @returns undefined if the input ends before */
function readLine(stdin: InputContext['stdin'], isTerminal: boolean): Promise<string | undefined> {
  // With `terminal`, readline itself echoes what is typed, to an output that shows nothing.
  const output = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: stdin, output, terminal: isTerminal })
  return new Promise<string | undefined>((resolve) => {
    lines.once('line', resolve)
    lines.once('SIGINT', () => lines.close())
    lines.once('close', () => resolve(undefined))
  }).finally(() => lines.close())
}
