import { invalidationSubject, type SignerName } from '@wp/contracts'
import { durableName, filterSubject, inboxPrefix, streamName } from '@wp/events'
import { declarationOf } from '../processes.ts'

/** What a user of the broker may say, and hear. Everything else is refused. */
export interface BrokerPermissions {
  publish: string[]
  subscribe: string[]
}

/**
 * What a process needs of the broker of a shard: to say what it produced and hear what it consumes, to wake its own
 * replicas, and the parts of JetStream's interface for these alone. What is said of credentials and limits goes beside.
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
      // A relay looks at the stream it publishes to, and makes it where it is missing; it changes and removes none.
      ...(hasDatabase ? [`$JS.API.STREAM.INFO.${stream}`, `$JS.API.STREAM.CREATE.${stream}`] : []),
      // The broker holds the filter in the subject against the one in the request: so it is what may be read.
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

/** Whoever changes the stream, or looks after it: by hand alone. */
export const operatorPermissions: BrokerPermissions = {
  publish: ['$JS.API.>'],
  subscribe: [`${inboxPrefix('operator')}.>`],
}
