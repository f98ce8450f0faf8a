import { type EndpointDefinition, type Grant, isCallLimited, meterExhausted } from '@wp/contracts'

/**
 * Asserts that the plan of the workspace includes further calls.
 *
 * @param grant undefined if the request is in no workspace
 * @param now milliseconds since 1970
 * @throws Problem `quota_exceeded`
 */
export function enforceCallLimit(definition: EndpointDefinition, grant: Grant | undefined, now: number): void {
  const until = grant?.limits.calls_exhausted_until
  if (until === undefined || !isCallLimited(definition)) return
  const end = new Date(until)
  if (end.getTime() > now) throw meterExhausted('api_calls', end)
}
