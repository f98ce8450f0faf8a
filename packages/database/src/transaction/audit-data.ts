import { auditRecorded, type RequestCaller } from '@wp/contracts'
import { responseField } from './response-field.ts'
import type { AuditDetails } from './transaction.ts'

/**
 * What the audit log shall know of a request, from the endpoint's declaration and what the operation added; undefined
 * when neither asked for it.
 *
 * @throws Error when it does not say what was done, or to what
 */
export function buildAuditData(caller: RequestCaller, details: AuditDetails | undefined, result: unknown): unknown {
  const { request, principal, requestId } = caller
  const declared = request?.audit
  if (declared === undefined && details === undefined) return undefined
  const action = details?.action ?? declared?.action
  if (action === undefined) throw new Error('an audit event needs an action: neither declared nor given')
  return auditRecorded.data.parse({
    action,
    actor: principal,
    targets: details?.targets ?? (declared ? [targetFromDeclaration(declared, result)] : []),
    context: { ip: request?.ip ?? null, user_agent: request?.userAgent ?? null, request_id: requestId },
    outcome: details?.outcome ?? 'success',
    changes: details?.changes ?? null,
  })
}

type DeclaredAudit = NonNullable<NonNullable<RequestCaller['request']>['audit']>

function targetFromDeclaration({ action, targetType, targetField, params }: DeclaredAudit, result: unknown) {
  const id = responseField(result, targetField) ?? params[targetField]
  if (id === undefined) throw new Error(`the audit of ${action} finds no ${targetField} in the answer or the path`)
  return { type: targetType, id }
}
