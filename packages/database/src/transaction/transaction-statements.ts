import type { RequestCaller } from '@wp/contracts'
import { escapeLiteral, type PoolClient, type QueryResult } from 'pg'
import { scopeValues } from '../connection/scope-settings.ts'
import { claimStatements, type IdempotencyKey, ifClaimed, storeResultStatement } from './idempotency.ts'
import type { TransactionBuffer } from './transaction-buffer.ts'
import { type OutboxEvent, outboxStatement } from './transaction-buffer.ts'

// Several statements in one message cannot have parameters, so every value is quoted by `escapeLiteral`.

/**
 * Returns the statements that open the transaction of a request. The claim runs in the workspace of the key, which for
 * some endpoints is none; the work then starts in the caller's workspace.
 */
export function openingStatements(caller: RequestCaller, key: IdempotencyKey | undefined): string[] {
  const { resource } = caller.request ?? {}
  const lock = resource === undefined ? [] : [ifClaimed(key, lockResource(resource))]
  if (key === undefined) return ['BEGIN READ WRITE', setScope(caller), ...lock]
  const keyScope = setScope({ ...caller, workspaceId: key.workspaceId })
  const claim = ['BEGIN READ WRITE', keyScope, ...claimStatements(key), ...lock, 'SAVEPOINT work']
  return key.workspaceId === (caller.workspaceId ?? '') ? claim : [...claim, setScope(caller)]
}

/** Returns the results of the two statements of the claim among those of `openingStatements`. */
export function claimResult([, , lock, lookup]: QueryResult[]): {
  isLocked: boolean
  stored?: { fingerprint: string; response: string }
} {
  return { isLocked: lock?.rows[0]?.mine === true, stored: lookup?.rows[0] }
}

/**
 * Returns the statements that write the outbox rows and the stored response, and commit.
 *
 * @param isRepeated true to skip events that are in the outbox already, because the statements may have been committed
 */
export function closingStatements(
  caller: RequestCaller,
  key: IdempotencyKey | undefined,
  work: { buffer: TransactionBuffer<unknown>; events: readonly OutboxEvent[]; result: unknown },
  isRepeated = false,
): string[] {
  const { buffer, events, result } = work
  const hasSwitchedWorkspace = (buffer.workspaceId ?? '') !== key?.workspaceId
  return [
    ...(events.length > 0 ? [outboxStatement(caller, events) + (isRepeated ? ' ON CONFLICT DO NOTHING' : '')] : []),
    // The stored response belongs to the workspace of the key, even if the work switched to another workspace.
    ...(key && hasSwitchedWorkspace ? [setWorkspace(key.workspaceId)] : []),
    ...(key ? [storeResultStatement(key, result)] : []),
    'COMMIT',
  ]
}

/** Returns the statements that undo the work and store the problem, while the key is still locked. */
export const storeProblemStatements = (problemStatement: string): string[] => [
  'ROLLBACK TO SAVEPOINT work',
  problemStatement,
  'COMMIT',
]

/**
 * Sends statements as one message.
 *
 * @throws Error if the last one is a COMMIT that rolled back: PostgreSQL does so without an error when a statement
 *   failed before and the work ignored that
 */
export async function sendStatements(client: PoolClient, statements: string[]): Promise<QueryResult[]> {
  const result: QueryResult | QueryResult[] = await client.query(statements.join(';\n'))
  const results = Array.isArray(result) ? result : [result]
  if (statements.at(-1) === 'COMMIT' && results.at(-1)?.command !== 'COMMIT')
    throw new Error('the transaction was rolled back: the work continued after a database error')
  return results
}

/** Serializes requests that change the same resource, so that none runs between a precondition and its change. */
const lockResource = (resource: string): string =>
  `pg_advisory_xact_lock(hashtextextended(${escapeLiteral(resource)}, 1))`

const setScope = (caller: Pick<RequestCaller, 'workspaceId' | 'customerId'>): string => {
  const [workspaceId, customerId] = scopeValues(caller).map(escapeLiteral)
  return `SELECT set_config('app.workspace_id', ${workspaceId}, true), set_config('app.customer_id', ${customerId}, true)`
}

const setWorkspace = (workspaceId: string | null): string =>
  `SELECT set_config('app.workspace_id', ${escapeLiteral(workspaceId ?? '')}, true)`
