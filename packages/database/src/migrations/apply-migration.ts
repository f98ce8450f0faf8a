import { pause } from '@wp/runtime'
import { type Client, DatabaseError } from 'pg'
import { type History, MigrationError, recordFailed, recordFinished, recordStarted } from './history.ts'
import type { Migration } from './read-migrations.ts'

/** A migration waiting for a lock blocks every statement that queues behind it, so it waits briefly and retries. */
const lockTimeout = `SET lock_timeout = '3s'`
const maxLockAttempts = 5

/**
 * Applies one migration and records it in the history. Waits at most 3 s for a lock, five times.
 *
 * @throws MigrationError with PostgreSQL's message and the line
 */
export async function applyMigration(client: Client, history: History, migration: Migration): Promise<void> {
  try {
    if (migration.isTransactional) await applyInTransaction(client, history, migration)
    else await applyWithoutTransaction(client, history, migration)
  } catch (error) {
    const reason = describeError(error, migration.sql)
    const state = migration.isTransactional ? 'failed and was rolled back' : 'failed and is partially applied'
    const historyFailure = await recordFailure(client, history, migration, reason)
    throw new MigrationError(migration.name, `${state}: ${reason}${historyFailure}`, error)
  }
  // Session settings of one migration must not affect the next.
  await client.query('RESET ALL')
}

async function applyInTransaction(client: Client, history: History, migration: Migration): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await client.query(`BEGIN; ${lockTimeout}`)
      await client.query(migration.sql)
      if (client.getTransactionStatus() !== 'T')
        throw new Error(
          'it ends its own transaction: remove BEGIN and COMMIT, or add the line "-- migrate: no-transaction"',
        )
      await recordFinished(client, history, migration)
      await client.query('COMMIT')
      return
    } catch (error) {
      if (!isLockTimeout(error) || attempt === maxLockAttempts) throw error
      await client.query('ROLLBACK')
      await pause(250 * attempt)
    }
  }
}

async function applyWithoutTransaction(client: Client, history: History, migration: Migration): Promise<void> {
  await client.query(lockTimeout)
  await recordStarted(client, history, migration)
  for (const statement of splitStatements(migration.sql)) await client.query(statement)
  await recordFinished(client, history, migration)
}

/** Records the failure. Returns a suffix for the error message if that fails too. */
async function recordFailure(client: Client, history: History, migration: Migration, reason: string): Promise<string> {
  try {
    await client.query('ROLLBACK')
    await client.query('RESET ALL')
    await recordFailed(client, history, migration, reason)
    return ''
  } catch (error) {
    return `; failed to record this in the history (${error instanceof Error ? error.message : error})`
  }
}

const isLockTimeout = (error: unknown): boolean => error instanceof DatabaseError && error.code === '55P03'

function describeError(error: unknown, sql: string): string {
  if (!(error instanceof DatabaseError)) return error instanceof Error ? error.message : String(error)
  const line = error.position === undefined ? '' : `, line ${sql.slice(0, Number(error.position)).split('\n').length}`
  return `${error.message} (${error.code}${line})`
}

/** A semicolon, or a token that may contain one: comment, string, quoted identifier, dollar-quoted string. */
const tokenPattern = /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"(?:[^"]|"")*"|\$(\w*)\$[\s\S]*?\$\1\$|;/g

/**
 * Splits a script into statements. Needed only for migrations without a transaction, because PostgreSQL runs statements
 * sent in one message in one transaction. Nested comments and `E'\''` are not supported.
 */
export function splitStatements(script: string): string[] {
  const parts: string[] = []
  let start = 0
  for (const match of script.matchAll(tokenPattern)) {
    if (match[0] !== ';') continue
    parts.push(script.slice(start, match.index))
    start = match.index + 1
  }
  parts.push(script.slice(start))
  return parts.map((statement) => statement.trim()).filter(isNotEmpty)
}

const isNotEmpty = (statement: string): boolean => statement.replaceAll(/--[^\n]*|\/\*[\s\S]*?\*\//g, '').trim() !== ''
