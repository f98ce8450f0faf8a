import {
  type ErrorCode,
  errors,
  IdempotentReplay,
  Problem,
  type RequestCaller,
  type RequestMetadata,
} from '@wp/contracts'
import { escapeLiteral } from 'pg'
import { responseField } from './audit-data.ts'

/** Primary key of a row of `platform.idempotency`, with the request's fingerprint. */
export interface IdempotencyKey extends NonNullable<RequestMetadata['idempotency']> {
  principalId: string
  workspaceId: string
  route: string
}

/** Response stored for a key: the operation's result, the identifier of a secret, or the problem. */
type StoredResponse =
  | { result?: unknown }
  | { secret: Record<string, string> }
  | { problem: { code: ErrorCode } & Pick<Problem, 'detail' | 'errors' | 'extra' | 'headers'> }

/** Returns the idempotency key of a request; undefined if it has none. */
export function idempotencyKey(caller: RequestCaller): IdempotencyKey | undefined {
  const { request, principal, workspaceId } = caller
  if (request?.idempotency === undefined) return undefined
  return {
    ...request.idempotency,
    principalId: principal.id,
    workspaceId: request.idempotency.acrossWorkspaces ? '' : (workspaceId ?? ''),
    route: request.endpointId,
  }
}

/**
 * Returns the statements that lock the key for this transaction and look up its stored response, in this order: each
 * statement has its own snapshot, so a transaction that gets the lock sees what the previous holder committed.
 */
export function claimStatements(key: IdempotencyKey): string[] {
  return [
    `SELECT ${lockExpression(key)} AS mine`,
    `SELECT fingerprint, response FROM platform.idempotency
     WHERE (principal_id, workspace_id, route, key) = (${keyValues(key)}) AND created_at > now() - interval '24 hours'`,
  ]
}

/**
 * Returns a statement that calls an SQL function only if this transaction holds the key; otherwise it must not wait.
 */
export const ifClaimed = (key: IdempotencyKey | undefined, call: string): string =>
  key === undefined ? `SELECT ${call}` : `SELECT CASE WHEN ${lockExpression(key)} THEN ${call} END`

/** Evaluates to true again in the transaction that already holds the lock. */
const lockExpression = ({ principalId, workspaceId, route, key }: IdempotencyKey): string =>
  `pg_try_advisory_xact_lock(hashtextextended(${escapeLiteral(JSON.stringify([principalId, workspaceId, route, key]))}, 0))`

/**
 * Evaluates the results of `claimStatements`. Returns if the request is new.
 *
 * @throws IdempotentReplay, Problem
 */
export function resolveClaim(
  key: IdempotencyKey,
  { isLocked, stored }: { isLocked: boolean; stored?: { fingerprint: string; response: string } | undefined },
): void {
  if (stored === undefined) {
    if (isLocked) return
    throw new Problem('idempotency_in_flight')
  }
  if (stored.fingerprint !== key.fingerprint)
    throw new Problem('idempotency_key_reused', {
      detail: 'The `Idempotency-Key` was sent before with another request; send a new key with a new request',
    })
  // Only `storeStatement` writes this column.
  const response = JSON.parse(stored.response) as StoredResponse
  if ('problem' in response) throw new Problem(response.problem.code, response.problem)
  if ('secret' in response) throw new Problem('secret_not_replayable', { extra: response.secret })
  throw new IdempotentReplay(response.result)
}

/** Returns the statement that stores the operation's result; for a result with a secret, only its identifier. */
export function storeResultStatement(key: IdempotencyKey, result: unknown): string {
  if (key.secretIdField === undefined || !holdsSecret(key, result)) return storeStatement(key, { result })
  const id = responseField(result, key.secretIdField)
  if (id === undefined)
    throw new Error(`the response of ${key.route} has no ${key.secretIdField} to store instead of its secret`)
  return storeStatement(key, { secret: { [key.secretIdField]: id } })
}

const holdsSecret = ({ secretField }: IdempotencyKey, result: unknown): boolean =>
  secretField === undefined || responseField(result, secretField) !== undefined

/**
 * Returns the statement that stores a problem. Returns undefined for a problem whose cause may be gone at the next
 * attempt (401, 403, 429, 5xx) and for any other error.
 */
export function storeProblemStatement(key: IdempotencyKey, error: unknown): string | undefined {
  if (!(error instanceof Problem)) return undefined
  const { code, status, detail, extra, headers } = error
  if (status < 400 || status >= 500 || [401, 403, 429].includes(status) || !(code in errors)) return undefined
  return storeStatement(key, { problem: { code, detail, errors: error.errors, extra, headers } })
}

/** This transaction holds the lock, so a conflicting row can only be one that has expired (24 hours). */
function storeStatement(key: IdempotencyKey, response: StoredResponse): string {
  return `INSERT INTO platform.idempotency (principal_id, workspace_id, route, key, fingerprint, response)
    VALUES (${keyValues(key)}, ${escapeLiteral(key.fingerprint)}, ${escapeLiteral(JSON.stringify(response))})
    ON CONFLICT (principal_id, workspace_id, route, key)
    DO UPDATE SET fingerprint = excluded.fingerprint, response = excluded.response, created_at = excluded.created_at`
}

const keyValues = ({ principalId, workspaceId, route, key }: IdempotencyKey): string =>
  [principalId, workspaceId, route, key].map(escapeLiteral).join(', ')
