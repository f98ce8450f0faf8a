import type { Msg, NatsConnection } from '@nats-io/transport-node'
import type { Log } from '@wp/runtime'
import { matchesSubject } from './subject.ts'

export interface Subscription {
  unsubscribe(): void
}

type Handler = (data: unknown, subject: string) => void

/** Creates the registry of a process's subscriptions, which are restored on every new connection. */
export function createSubscriptions(log: Log) {
  const subscriptions = new Set<{ open(connection: NatsConnection): void }>()

  return {
    add(subject: string, handler: Handler, connection: NatsConnection | undefined): Subscription {
      let current: Subscription | undefined
      const entry = {
        open(opened: NatsConnection) {
          current = opened.subscribe(subject, {
            callback(error, message) {
              if (error === null) deliver(subject, message, handler)
              else log.error({ event: 'subscription.rejected', err: error, subject }, 'broker rejected a subscription')
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
    /** Restores all subscriptions on a new connection. */
    resubscribe(connection: NatsConnection): void {
      for (const entry of subscriptions) entry.open(connection)
    },
  }

  function deliver(subscribed: string, message: Msg, handler: Handler): void {
    // JetStream delivers a stored message, with its own subject, to any subject that a user names: as the reply to a
    // pull, or as the deliver subject of a consumer. Permissions apply to neither.
    if (!matchesSubject(message.subject, subscribed)) {
      log.warn(
        { event: 'subscription.redirected_message', subject: message.subject, subscribed },
        'message of another subject ignored',
      )
      return
    }
    try {
      handler(message.data.length === 0 ? undefined : message.json(), message.subject)
    } catch (error) {
      log.warn(
        { event: 'subscription.handler_failed', err: error, subject: message.subject },
        'failed to handle a message',
      )
    }
  }
}

export interface Listeners {
  /** @returns a function that removes it */
  add(listener: () => void): () => void
  call(): void
}

/** Creates a set of listeners. An error of one listener is logged and does not affect the others. */
export function createListeners(log: Log): Listeners {
  const listeners = new Set<() => void>()
  return {
    add(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    call() {
      for (const listener of [...listeners]) {
        try {
          listener()
        } catch (error) {
          log.error({ event: 'listener.failed', err: error }, 'listener failed')
        }
      }
    },
  }
}
