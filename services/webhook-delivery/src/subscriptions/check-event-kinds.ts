import { nearestName, problem, webhookEventKinds } from '@wp/contracts'

const selectableKinds: ReadonlySet<string> = new Set(['*', ...webhookEventKinds])

/**
 * Validates the event kinds of a subscription and returns them without duplicates.
 * @throws Problem `unknown_event_kind` with a pointer to each kind that is unknown
 */
export function checkEventKinds(kinds: readonly string[]): string[] {
  const errors = kinds.flatMap((kind, index) =>
    selectableKinds.has(kind)
      ? []
      : [{ pointer: `/events/${index}`, detail: `${JSON.stringify(kind)} ${reason(kind)}` }],
  )
  const [first] = errors
  if (first !== undefined) throw problem('unknown_event_kind', { detail: `${first.pointer}: ${first.detail}`, errors })
  return [...new Set(kinds)]
}

function reason(kind: string): string {
  const nearest = nearestName(kind, webhookEventKinds)
  const hint = nearest === undefined ? '' : `did you mean ${nearest}? `
  return `is not a known event kind; ${hint}GET /v1/webhooks/events lists them`
}
