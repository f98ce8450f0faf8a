import {
  type ErrorCode,
  errors,
  IdempotentReplay,
  Problem,
  type RequestCaller,
  type RequestMetadata,
} from '@wp/contracts'
import { escapeLiteral } from 'pg'
import { responseField } from './response-field.ts'

/** One idempotency key as the platform's table knows it. */
export interface IdempotencyKey extends NonNullable<RequestMetadata['idempotency']> {
  principalId: string
  workspaceId: string
  route: string
}

/** The answer of a request as it is kept: what the operation returned, the id of a secret, or the refusal. */
type StoredResponse =
  | { result?: unknown }
  | { secret: Record<string, string> }
  | { problem: { code: ErrorCode } & Pick<Problem, 'detail' | 'errors' | 'extra' | 'headers'> }

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
 * Statements that take the key for this transaction and look for an answer, in this order: each statement has its own
 * snapshot, so one that got the lock sees what the holder before it committed.
 */
export function claimStatements(key: IdempotencyKey): string[] {
  return [
    `SELECT ${lockExpression(key)} AS mine`,
    `SELECT fingerprint, answer AS response FROM platform.idempotency
     WHERE (principal_id, workspace_id, route, key) = (${keyValues(key)}) AND created_at > now() - interval '24 hours'`,
  ]
}

/** Runs a function only where the key is this transaction's: whoever is told that it is not shall not wait for it. */
export const ifClaimed = (key: IdempotencyKey | undefined, call: string): string =>
  key === undefined ? `SELECT ${call}` : `SELECT CASE WHEN ${lockExpression(key)} THEN ${call} END`

/** Once it is taken, asking again says so again. */
const lockExpression = ({ principalId, workspaceId, route, key }: IdempotencyKey): string =>
  `pg_try_advisory_xact_lock(hashtextextended(${escapeLiteral(JSON.stringify([principalId, workspaceId, route, key]))}, 0))`

/**
 * Decides by what the claim found. Returns when the request is new.
 * @throws IdempotentReplay, Problem
 */
export function resolveClaim(
  key: IdempotencyKey,
  isLocked: boolean,
  stored?: { fingerprint: string; response: string },
): void {
  if (stored === undefined) {
    if (isLocked) return
    throw new Problem('idempotency_in_flight')
  }
  if (stored.fingerprint !== key.fingerprint) throw new Problem('idempotency_key_reused')
  // Written by `keepStatement` below and by nobody else.
  const response = JSON.parse(stored.response) as StoredResponse
  if ('problem' in response) throw new Problem(response.problem.code, response.problem)
  if ('secret' in response) throw new Problem('secret_not_replayable', { extra: response.secret })
  throw new IdempotentReplay(response.result)
}

/** The statement that keeps what the operation returned; of an answer with a secret only what it belongs to. */
export function storeResultStatement(key: IdempotencyKey, result: unknown): string {
  if (key.secretIdField === undefined) return storeStatement(key, { result })
  const id = responseField(result, key.secretIdField)
  if (id === undefined) throw new Error(`the answer of ${key.route} has no ${key.secretIdField} to keep for its secret`)
  return storeStatement(key, { secret: { [key.secretIdField]: id } })
}

/** The statement that keeps a refusal; undefined for those that may be different next time, and for other errors. */
export function storeProblemStatement(key: IdempotencyKey, error: unknown): string | undefined {
  if (!(error instanceof Problem)) return undefined
  const { code, status, detail, extra, headers } = error
  if (status < 400 || status >= 500 || [401, 403, 429].includes(status) || !(code in errors)) return undefined
  return storeStatement(key, { problem: { code, detail, errors: error.errors, extra, headers } })
}

/** A conflict can only be with an answer older than the 24 hours it counts for: the lock is ours. */
function storeStatement(key: IdempotencyKey, answer: StoredResponse): string {
  return `INSERT INTO platform.idempotency (principal_id, workspace_id, route, key, fingerprint, answer)
    VALUES (${keyValues(key)}, ${escapeLiteral(key.fingerprint)}, ${escapeLiteral(JSON.stringify(answer))})
    ON CONFLICT (principal_id, workspace_id, route, key)
    DO UPDATE SET fingerprint = excluded.fingerprint, answer = excluded.answer, created_at = excluded.created_at`
}

const keyValues = ({ principalId, workspaceId, route, key }: IdempotencyKey): string =>
  [principalId, workspaceId, route, key].map(escapeLiteral).join(', ')
