import { auditRecorded, type RequestCaller } from '@wp/contracts'
import { fieldOf } from './answer.ts'
import type { AuditDetails } from './transaction.ts'

/**
 * What the audit log shall know of a request, from the endpoint's declaration and what the operation added; undefined
 * when neither asked for it.
 *
 * @throws Error when it does not say what was done, or to what
 */
export function auditData(caller: RequestCaller, details: AuditDetails | undefined, result: unknown): unknown {
  const { request, principal, requestId } = caller
  const declared = request?.audit
  if (declared === undefined && details === undefined) return undefined
  const action = details?.action ?? declared?.action
  if (action === undefined) throw new Error('an audit event needs an action: neither declared nor given')
  return auditRecorded.data.parse({
    action,
    actor: principal,
    targets: details?.targets ?? (declared ? [declaredTarget(declared, result)] : []),
    context: { ip: request?.ip ?? null, user_agent: request?.userAgent ?? null, request_id: requestId },
    outcome: details?.outcome ?? 'success',
    changes: details?.changes ?? null,
  })
}

type Declared = NonNullable<NonNullable<RequestCaller['request']>['audit']>

function declaredTarget({ action, targetType, targetField, params }: Declared, result: unknown) {
  const id = fieldOf(result, targetField) ?? params[targetField]
  if (id === undefined) throw new Error(`the audit of ${action} finds no ${targetField} in the answer or the path`)
  return { type: targetType, id }
}
