import { invalidationSubject, type SignerName } from '@wp/contracts'
import { durableName, filterSubject, inboxPrefix, streamName } from '@wp/events'
import { declarationOf } from '../processes.ts'

/** The subjects that a user of the broker may publish and subscribe to. */
export interface BrokerPermissions {
  publish: string[]
  subscribe: string[]
}

/**
 * Returns the permissions of a process at the broker of a shard: to publish its events, to use its own consumers, to wake
 * its replicas, and the parts of the JetStream API that these need. The gateway also exchanges rate limits and receives
 * the invalidations that auth publishes.
 */
export function permissionsOf(name: SignerName, shard: string): BrokerPermissions {
  const stream = streamName(shard)
  const { hasDatabase, consumes } = declarationOf(name)
  const consumers = Object.entries(consumes).map(([purpose, subscription]) => ({
    durable: `${stream}.${durableName(name, purpose)}`,
    filter: filterSubject(shard, subscription),
  }))
  const isGateway = name === 'gateway'
  return {
    publish: [
      `events.${shard}.${name}.>`,
      // The relay reads the stream and creates it if it is missing. It cannot change or delete it.
      ...(hasDatabase ? [`$JS.API.STREAM.INFO.${stream}`, `$JS.API.STREAM.CREATE.${stream}`] : []),
      // The broker requires the filter in the subject to equal the one in the request, so this limits what can be read.
      ...consumers.flatMap(({ durable, filter }) => [
        `$JS.API.CONSUMER.CREATE.${durable}.${filter}`,
        `$JS.API.CONSUMER.INFO.${durable}`,
        `$JS.API.CONSUMER.MSG.NEXT.${durable}`,
        `$JS.ACK.${durable}.>`,
      ]),
      ...(hasDatabase ? [`wake.${shard}.${name}.>`] : []),
      ...(isGateway ? [`limits.${shard}`] : []),
      ...(name === 'auth' ? [invalidationSubject] : []),
    ],
    subscribe: [
      `${inboxPrefix(name)}.>`,
      ...(hasDatabase ? [`wake.${shard}.${name}.>`] : []),
      ...(isGateway ? [`limits.${shard}`, invalidationSubject] : []),
    ],
  }
}

/** The permissions of a person who inspects or changes streams. */
export const operatorPermissions: BrokerPermissions = {
  publish: ['$JS.API.>'],
  subscribe: [`${inboxPrefix('operator')}.>`],
}
