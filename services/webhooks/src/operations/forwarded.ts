import { type EndpointDefinition, type Operation, type RequestOf, webhookDelivery, type webhooks } from '@wp/contracts'
import type { InternalCalls } from '@wp/service'
import type { Context } from '../context.ts'

/** The public endpoints whose twin webhook-delivery serves. */
type Forwarded = {
  [Name in keyof typeof webhookDelivery]: Operation<(typeof webhooks)[Name], Context>
}

/** Each asks the internal twin, for the same caller and with the same input. */
export const forwarded = Object.fromEntries(
  Object.entries(webhookDelivery).map(([name, twin]): [string, unknown] => [name, forwardTo(twin)]),
) as Forwarded // the twin of an endpoint has its input and result: the two differ in id, path, callers and audience

function forwardTo<Twin extends EndpointDefinition>(twin: Twin) {
  return ({ internal }: Context, caller: Parameters<InternalCalls['forward']>[1], input: RequestOf<Twin>) =>
    internal.forward(twin, caller, input)
}
