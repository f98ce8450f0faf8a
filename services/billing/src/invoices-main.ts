// `npm run invoices` shows open invoices, and records what operators know of them: a payment by bank transfer, or that
// an invoice was wrong. Each change is in the audit log of the workspace.
import { userInfo } from 'node:os'
import { parseArgs } from 'node:util'
import { connectDatabase, type Database, type Query, workerQuery } from '@wp/database'
import { runCommand } from '@wp/runtime'
import { formatMinor } from './invoices/money.ts'
import { payInvoice, voidInvoice } from './payments/settle-invoice.ts'
import { type Client, createClient } from './store/client.ts'
import { listOpenInvoices, locateInvoice } from './store/invoices.ts'

const usage = `usage:
  npm run invoices -- open                                  list the open invoices, those due first
  npm run invoices -- paid <number> --reference <text>      record a payment, such as a line of a bank statement
  npm run invoices -- void <number> --reason <text>         void an open invoice, which then must not be paid
options:
  --env-file <path>                                         read the environment from a file
environment:
  DATABASE_URL_BILLING, else DATABASE_URL                   the database of billing, with its role for requests
  DATABASE_WORKER_URL_BILLING, else DATABASE_WORKER_URL     the same database, with its worker role
  SHARD                                                     the home cell, in which billing runs`

const maxListed = 1_000
const maxTextLength = 200

async function run(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { 'env-file': { type: 'string' }, reference: { type: 'string' }, reason: { type: 'string' } },
  })
  if (values['env-file'] !== undefined) process.loadEnvFile(values['env-file'])
  const [command, number, ...rest] = positionals
  const text = command === 'paid' ? values.reference : values.reason
  if (command === 'open' && number === undefined) return await withDatabase(listOpen)
  if ((command !== 'paid' && command !== 'void') || number === undefined || !text || rest.length > 0) {
    process.stderr.write(`${usage}\n`)
    return 1
  }
  if (text.length > maxTextLength) throw new Error(`the text must have at most ${maxTextLength} characters`)
  return await withDatabase((database, query) => settle(database, query, { command, number, text }))
}

async function listOpen(_database: Database<Client>, query: Query): Promise<number> {
  for (const { number, workspaceId, totalMinor, currency, dueAt } of await listOpenInvoices(query, maxListed))
    process.stdout.write(
      `${number}  ${workspaceId}  ${currency} ${formatMinor(Number(totalMinor))}  due ${dueAt.toISOString().slice(0, 10)}\n`,
    )
  return 0
}

interface Command {
  command: 'paid' | 'void'
  number: string
  text: string
}

async function settle(database: Database<Client>, query: Query, { command, number, text }: Command): Promise<number> {
  const invoice = await locateInvoice(query, number)
  if (invoice === undefined) throw new Error(`there is no invoice ${number}`)
  const context = { database, now: Date.now }
  const requestId = `operator-${userInfo().username}`
  const before =
    command === 'paid'
      ? await payInvoice(context, invoice, { reference: text, requestId })
      : await voidInvoice(context, invoice, { reason: text, requestId })
  if (before.status !== 'open')
    throw new Error(`${invoice.number} is ${before.status}; only an open invoice can change`)
  process.stdout.write(`${invoice.number} is ${command} now\n`)
  return 0
}

async function withDatabase(work: (database: Database<Client>, query: Query) => Promise<number>): Promise<number> {
  const variable = (name: string): string => {
    const value = process.env[`${name}_BILLING`] ?? process.env[name]
    if (!value) throw new Error(`neither ${name}_BILLING nor ${name} is set`)
    return value
  }
  const shard = process.env.SHARD
  if (!shard) throw new Error('SHARD is not set')
  const database = connectDatabase({
    url: variable('DATABASE_URL'),
    workerUrl: variable('DATABASE_WORKER_URL'),
    prisma: createClient,
    shard,
  })
  try {
    return await work(database, workerQuery(database.worker))
  } finally {
    await database.close()
  }
}

await runCommand(run)
