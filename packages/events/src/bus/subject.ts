import type { DomainEvent } from '@wp/contracts'

/** The stream of one shard. */
export const streamName = (shard: string): string => `EVENTS_${subjectToken(shard)}`

/** Everything the stream of one shard stores. */
export const streamSubject = (shard: string): string => `events.${subjectToken(shard)}.>`

/** `events.<shard>.<producer>.<KIND>.<workspace_id>`: whole tokens, so that permissions can bind producers. */
export function eventSubject(
  shard: string,
  producer: string,
  { kind, workspace_id }: Pick<DomainEvent, 'kind' | 'workspace_id'>,
): string {
  return `events.${subjectToken(shard)}.${subjectToken(producer)}.${subjectToken(kind)}.${workspace_id === '' ? '_' : subjectToken(workspace_id)}`
}

/** Who said what of which workspace, by the subject it was said under; undefined where it is no subject of an event. */
export function parseSubject(
  subject: string,
): (Pick<DomainEvent, 'kind' | 'workspace_id'> & { producer: string }) | undefined {
  const [, producer, kind, workspace] =
    /^events\.[A-Za-z0-9_-]+\.([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]+)$/.exec(subject) ?? []
  if (producer === undefined || kind === undefined || workspace === undefined) return undefined
  return { producer, kind, workspace_id: workspace === '_' ? '' : workspace }
}

/**
 * The one filter subject of a consumer: as narrow as one subject can be. nats-server 2.9 knows no list of them, so what
 * passes beside the wanted kinds is acknowledged unread.
 */
export function filterSubject(shard: string, wanted: { producer?: string; kinds: readonly string[] | 'all' }): string {
  const producer = wanted.producer === undefined ? '*' : subjectToken(wanted.producer)
  const [kind, ...others] = wanted.kinds === 'all' ? [] : wanted.kinds
  if (kind !== undefined && others.length === 0)
    return `events.${subjectToken(shard)}.${producer}.${subjectToken(kind)}.*`
  return producer === '*' ? streamSubject(shard) : `events.${subjectToken(shard)}.${producer}.>`
}

/** Where it is said that a queue of a service has work. */
export const wakeSubject = (shard: string, service: string, queue: string): string =>
  `wake.${subjectToken(shard)}.${subjectToken(service)}.${subjectToken(queue)}`

/** Before what one user of the broker is answered. */
export const inboxPrefix = (user: string): string => `_INBOX_${subjectToken(user)}`

/** A consumer's name: on the broker, in the inbox, in dead_events. */
export const durableName = (service: string, purpose: string): string =>
  `${subjectToken(service)}_${subjectToken(purpose)}`

/** Dots, wildcards and spaces in one token would change what the whole subject means. */
function subjectToken(text: string): string {
  if (!/^[A-Za-z0-9_-]+$/.test(text)) throw new Error(`${JSON.stringify(text)} cannot be a token of a subject`)
  return text
}
