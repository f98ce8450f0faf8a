import { auditRecorded, id, type RequestCaller } from '@wp/contracts'
import type { AuditDetails } from './transaction.ts'

const sessionId = id('ses')

/**
 * Builds the data of an audit event from the endpoint's declaration and the details added by the operation. Returns
 * undefined if there is neither.
 *
 * @throws Error if the action or the target is missing
 */
export function buildAuditData(caller: RequestCaller, details: AuditDetails | undefined, result: unknown): unknown {
  const { request, requestId } = caller
  const declared = request?.audit
  if (declared === undefined && details === undefined) return undefined
  const action = details?.action ?? declared?.action
  if (action === undefined)
    throw new Error('the audit event has no action: the endpoint declares none and the operation added none')
  return auditRecorded.data.parse({
    action,
    actor: actorOf(caller),
    targets: [
      ...(details?.targets ?? (declared ? [targetFromDeclaration(declared, result)] : [])),
      ...customerOf(caller),
    ],
    context: { ip: request?.ip ?? null, user_agent: request?.userAgent ?? null, request_id: requestId },
    outcome: details?.outcome ?? 'success',
    changes: details?.changes ?? null,
  })
}

/** Returns the customer in whose name a portal link acts, so that the log of a customer is found by their id. */
const customerOf = ({ customerId }: RequestCaller) =>
  customerId === undefined ? [] : [{ type: 'customer', id: customerId }]

/** Returns who acted: for a user also the session and, if one acted for the user, the client. */
function actorOf({ principal, credentialId, clientId }: RequestCaller) {
  const isSession = principal.type === 'user' && sessionId.safeParse(credentialId).success
  return {
    ...principal,
    ...(clientId === undefined ? {} : { client_id: clientId }),
    ...(isSession ? { session_id: credentialId } : {}),
  }
}

type DeclaredAudit = NonNullable<NonNullable<RequestCaller['request']>['audit']>

function targetFromDeclaration({ action, targetType, targetField, params }: DeclaredAudit, result: unknown) {
  const id = responseField(result, targetField) ?? params[targetField]
  if (id === undefined)
    throw new Error(`the audit event ${action} has no target: no ${targetField} in the response or the path`)
  return { type: targetType, id }
}

/**
 * Returns a text field of an operation's result: of the result itself or of its `data`, where the operation returns a
 * success status together with the resource.
 */
export function responseField(result: unknown, field: string): string | undefined {
  return ownString(result, field) ?? ownString(ownProperty(result, 'data'), field)
}

function ownString(value: unknown, field: string): string | undefined {
  const found = ownProperty(value, field)
  return typeof found === 'string' ? found : undefined
}

function ownProperty(value: unknown, field: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined
  return Object.getOwnPropertyDescriptor(value, field)?.value
}
