import type { Msg, NatsConnection } from '@nats-io/transport-node'
import type { Log } from '@wp/database'

export interface Subscription {
  unsubscribe(): void
}

type Handler = (data: unknown, subject: string) => void

/** What a process listens to, whichever connection carries it. */
export function createSubscriptions(log: Log) {
  const wanted = new Set<{ open(connection: NatsConnection): void }>()

  return {
    add(subject: string, handler: Handler, connection: NatsConnection | undefined): Subscription {
      let current: Subscription | undefined
      const entry = {
        open(opened: NatsConnection) {
          current = opened.subscribe(subject, {
            callback(error, message) {
              if (error === null) take(message, handler)
              else log.error({ err: error, subject }, 'the broker refused a subscription')
            },
          })
        },
      }
      wanted.add(entry)
      if (connection !== undefined) entry.open(connection)
      return {
        unsubscribe() {
          wanted.delete(entry)
          current?.unsubscribe()
        },
      }
    },
    /** Subscribes everything on a connection that was not there before. */
    renew(connection: NatsConnection): void {
      for (const entry of wanted) entry.open(connection)
    },
  }

  function take(message: Msg, handler: Handler): void {
    try {
      handler(message.data.length === 0 ? undefined : message.json(), message.subject)
    } catch (error) {
      log.warn({ err: error, subject: message.subject }, 'a message could not be taken')
    }
  }
}
