import { problem, webhookEventKinds } from '@wp/contracts'

const knownKinds: ReadonlySet<string> = new Set(['*', ...webhookEventKinds])

/** @returns the kinds, each once. @throws Problem `unknown_event_kind` pointing at every unknown one */
export function checkEventKinds(kinds: readonly string[]): string[] {
  const errors = kinds.flatMap((kind, index) =>
    knownKinds.has(kind)
      ? []
      : [{ pointer: `/events/${index}`, detail: `${JSON.stringify(kind)} is not a known event kind` }],
  )
  const [first] = errors
  if (first !== undefined) throw problem('unknown_event_kind', { detail: `${first.pointer}: ${first.detail}`, errors })
  return [...new Set(kinds)]
}
