import type { Query } from '@wp/database'
import { networkPrefix } from '@wp/service'
import { incrementCounters, throwIfExceeded } from '../store/counters.ts'

const minute = 60
const hour = 3_600

/**
 * Counts a fetch of a client's metadata document, by the client network that causes it and by the host that is asked,
 * so that the platform cannot be used to flood a host.
 * @throws Problem `rate_limited`
 */
export async function countMetadataFetch(query: Query, host: string, ip: string | undefined): Promise<void> {
  const limits = [
    { key: `client-metadata-from:${networkPrefix(ip ?? 'unknown')}`, quota: 30, windowSeconds: minute },
    { key: `client-metadata:${host}`, quota: 60, windowSeconds: minute },
  ]
  throwIfExceeded(await incrementCounters(query, limits), 'Too many unknown clients')
}

/** Counts a decision about a client. @throws Problem `rate_limited` */
export async function countDecision(query: Query, userId: string): Promise<void> {
  const limits = [{ key: `authorization:${userId}`, quota: 120, windowSeconds: hour }]
  throwIfExceeded(await incrementCounters(query, limits), 'Too many authorizations')
}
