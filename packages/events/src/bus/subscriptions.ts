import type { Msg, NatsConnection } from '@nats-io/transport-node'
import type { Log } from '@wp/runtime'

export interface Subscription {
  unsubscribe(): void
}

type Handler = (data: unknown, subject: string) => void

/** What a process listens to, whichever connection carries it. */
export function createSubscriptions(log: Log) {
  const subscriptions = new Set<{ open(connection: NatsConnection): void }>()

  return {
    add(subject: string, handler: Handler, connection: NatsConnection | undefined): Subscription {
      let current: Subscription | undefined
      const entry = {
        open(opened: NatsConnection) {
          current = opened.subscribe(subject, {
            callback(error, message) {
              if (error === null) deliver(message, handler)
              else log.error({ err: error, subject }, 'the broker refused a subscription')
            },
          })
        },
      }
      subscriptions.add(entry)
      if (connection !== undefined) entry.open(connection)
      return {
        unsubscribe() {
          subscriptions.delete(entry)
          current?.unsubscribe()
        },
      }
    },
    /** Subscribes everything on a connection that was not there before. */
    resubscribe(connection: NatsConnection): void {
      for (const entry of subscriptions) entry.open(connection)
    },
  }

  function deliver(message: Msg, handler: Handler): void {
    try {
      handler(message.data.length === 0 ? undefined : message.json(), message.subject)
    } catch (error) {
      log.warn({ err: error, subject: message.subject }, 'a message could not be taken')
    }
  }
}
