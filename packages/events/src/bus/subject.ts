import type { DomainEvent } from '@wp/contracts'

/** Returns the name of a shard's stream. */
export const streamName = (shard: string): string => `EVENTS_${subjectToken(shard)}`

/** Returns the subject filter of a shard's stream. */
export const streamSubject = (shard: string): string => `events.${subjectToken(shard)}.>`

/**
 * Returns `events.<shard>.<producer>.<KIND>.<workspace_id>`, `_` for no workspace. Each part is one token, so that
 * broker permissions can bind producers.
 */
export function eventSubject(
  shard: string,
  producer: string,
  { kind, workspace_id }: Pick<DomainEvent, 'kind' | 'workspace_id'>,
): string {
  return `events.${subjectToken(shard)}.${subjectToken(producer)}.${subjectToken(kind)}.${workspace_id === '' ? '_' : subjectToken(workspace_id)}`
}

/** Returns producer, kind and workspace of an event's subject; undefined for any other subject. */
export function parseSubject(
  subject: string,
): (Pick<DomainEvent, 'kind' | 'workspace_id'> & { producer: string }) | undefined {
  const [, producer, kind, workspace] =
    /^events\.[A-Za-z0-9_-]+\.([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]+)$/.exec(subject) ?? []
  if (producer === undefined || kind === undefined || workspace === undefined) return undefined
  return { producer, kind, workspace_id: workspace === '_' ? '' : workspace }
}

/**
 * Returns the narrowest single filter subject for a consumer. nats-server 2.9 does not support several, so the consumer
 * acknowledges events of other kinds that match the filter.
 */
export function filterSubject(shard: string, wanted: { producer?: string; kinds: readonly string[] | 'all' }): string {
  const producer = wanted.producer === undefined ? '*' : subjectToken(wanted.producer)
  const [kind, ...others] = wanted.kinds === 'all' ? [] : wanted.kinds
  if (kind !== undefined && others.length === 0)
    return `events.${subjectToken(shard)}.${producer}.${subjectToken(kind)}.*`
  return producer === '*' ? streamSubject(shard) : `events.${subjectToken(shard)}.${producer}.>`
}

/** Returns the subject of wake notifications for a queue of a service. */
export const wakeSubject = (shard: string, service: string, queue: string): string =>
  `wake.${subjectToken(shard)}.${subjectToken(service)}.${subjectToken(queue)}`

/** Returns true if a subscription to `pattern` receives messages published to a subject. */
export function matchesSubject(subject: string, pattern: string): boolean {
  const tokens = subject.split('.')
  const expected = pattern.split('.')
  if (expected.at(-1) === '>') {
    expected.pop()
    if (tokens.length <= expected.length) return false
    tokens.length = expected.length
  }
  return tokens.length === expected.length && expected.every((token, index) => token === '*' || token === tokens[index])
}

/** Returns the prefix of the subjects on which one user of the broker receives responses. */
export const inboxPrefix = (user: string): string => `_INBOX_${subjectToken(user)}`

/** Returns the name of a consumer, used on the broker, in the inbox and in dead_events. */
export const durableName = (service: string, purpose: string): string =>
  `${subjectToken(service)}_${subjectToken(purpose)}`

/** Rejects dots, wildcards and spaces, which would change the meaning of the subject. */
function subjectToken(text: string): string {
  if (!/^[A-Za-z0-9_-]+$/.test(text)) throw new Error(`${JSON.stringify(text)} is not a valid subject token`)
  return text
}
