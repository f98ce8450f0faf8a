import {
  enforcesMeters,
  identityHeartbeatSubject,
  invalidationSubject,
  type SignerName,
  signerNames,
} from '@wp/contracts'
import { durableName, filterSubject, inboxPrefix, streamName } from '@wp/events'
import { deletionSubscription } from '@wp/jobs/data-deletion'
import { meterLimitsSubscription, planLimitsSubscription } from '@wp/service'
import { declarationOf, type EventSubscription } from '../processes.ts'

/** The subjects that a user of the broker may publish and subscribe to. */
export interface BrokerPermissions {
  publish: string[]
  subscribe: string[]
}

/** Returns the filter subjects of the consumers of a process, by durable name. */
export const consumersOf = (name: SignerName, shard: string): ReadonlyMap<string, string> =>
  new Map(
    [...Object.entries(declarationOf(name).consumes), ...platformSubscriptionsOf(name)].map(
      ([purpose, subscription]) => [durableName(name, purpose), filterSubject(shard, subscription)],
    ),
  )

/**
 * Every service with a database and the broker stores the limits of plans, and deletes the data of deleted workspaces.
 * Auth, which starts the deletions, needs no event for them. Some also refuse the use of exhausted meters.
 */
function platformSubscriptionsOf(name: SignerName): [string, EventSubscription][] {
  const { hasDatabase, usesBroker } = declarationOf(name)
  if (!hasDatabase || !usesBroker) return []
  const subscriptions = [
    ...(name === 'auth' ? [] : [deletionSubscription]),
    planLimitsSubscription,
    ...(enforcesMeters(name) ? [meterLimitsSubscription] : []),
  ]
  return subscriptions.map(({ purpose, ...subscription }) => [purpose, subscription])
}

/** Returns the filter subjects of the consumers of all processes, by durable name. */
export const consumersAt = (shard: string): ReadonlyMap<string, string> =>
  new Map(signerNames.flatMap((name) => [...consumersOf(name, shard)]))

/**
 * Returns the permissions of a process at the broker of a shard: to publish its events, to use its own consumers, to
 * wake its replicas, and the parts of the JetStream API that these need. The gateway also exchanges rate limits and
 * receives the invalidations and the change log that auth publishes, webhook-delivery the invalidations. A process may
 * create neither streams nor consumers: permissions do not cover their configuration, with which it could have the
 * broker deliver to subjects of other processes.
 */
export function permissionsOf(name: SignerName, shard: string): BrokerPermissions {
  const stream = streamName(shard)
  const { hasDatabase } = declarationOf(name)
  const isGateway = name === 'gateway'
  return {
    publish: [
      `events.${shard}.${name}.>`,
      // The relay and the consumers read the identity of the stream.
      ...(hasDatabase ? [`$JS.API.STREAM.INFO.${stream}`] : []),
      ...[...consumersOf(name, shard).keys()].flatMap((durable) => [
        `$JS.API.CONSUMER.INFO.${stream}.${durable}`,
        `$JS.API.CONSUMER.MSG.NEXT.${stream}.${durable}`,
        `$JS.ACK.${stream}.${durable}.>`,
      ]),
      ...(hasDatabase ? [`wake.${shard}.${name}.>`] : []),
      ...(isGateway ? [`limits.${shard}`] : []),
      ...(name === 'auth' ? [invalidationSubject, identityHeartbeatSubject(shard)] : []),
    ],
    subscribe: [
      `${inboxPrefix(name)}.>`,
      ...(hasDatabase ? [`wake.${shard}.${name}.>`] : []),
      ...(isGateway ? [`limits.${shard}`, identityHeartbeatSubject(shard)] : []),
      ...(isGateway || name === 'webhook-delivery' ? [invalidationSubject] : []),
    ],
  }
}

/**
 * Returns the permissions of the migrator: to create and update the stream of a shard, and the consumers of its
 * processes.
 */
export function migratorPermissions(shard: string): BrokerPermissions {
  const stream = streamName(shard)
  return {
    publish: [
      `$JS.API.STREAM.INFO.${stream}`,
      `$JS.API.STREAM.CREATE.${stream}`,
      `$JS.API.STREAM.UPDATE.${stream}`,
      // The broker requires the filter in the subject to equal the one in the request, so this limits what can be read.
      ...[...consumersAt(shard)].flatMap(([durable, filter]) => [
        `$JS.API.CONSUMER.CREATE.${stream}.${durable}.${filter}`,
        `$JS.API.CONSUMER.INFO.${stream}.${durable}`,
      ]),
    ],
    subscribe: [`${inboxPrefix('migrator')}.>`],
  }
}

/** The permissions of a person who inspects or changes streams. */
export const operatorPermissions: BrokerPermissions = {
  publish: ['$JS.API.>'],
  subscribe: [`${inboxPrefix('operator')}.>`],
}
