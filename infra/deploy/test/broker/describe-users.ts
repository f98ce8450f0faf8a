import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { connect, type NatsConnection, PermissionViolationError } from '@nats-io/transport-node'
import { signerNames } from '@wp/contracts'
import { inboxPrefix, streamName } from '@wp/events'
import type { Nats } from '@wp/testkit'
import { consumersAt } from '../../src/nats/permissions.ts'
import { password, shard, violationsOf } from './start-broker.ts'

/** @param brokerOf returns the broker of the suite, from the first test on. Nothing else may use it. */
export function describeUsers(brokerOf: () => Nats): void {
  describe('a user of the broker', () => {
    const stream = streamName(shard)
    const others = signerNames.filter((name) => name !== 'data')
    let data: NatsConnection
    let nats: Nats
    beforeAll(async () => {
      nats = brokerOf()
      data = await as('data')
    })
    afterAll(() => data.close())

    const as = (user: string, pass = password(user)) =>
      connect({
        servers: nats.url,
        user,
        pass,
        inboxPrefix: inboxPrefix(user),
        maxReconnectAttempts: 0,
        noAsyncTraces: true,
      })

    /** Publishes a message. Returns true if the broker denies it. */
    async function deniesPublish(connection: NatsConnection, subject: string): Promise<boolean> {
      const before = violationsOf(nats).length
      connection.publish(subject, '{}')
      await connection.flush()
      return violationsOf(nats)
        .slice(before)
        .some((line) => line.includes(`Publish Violation`) && line.includes(`"${subject}"`))
    }

    /** Subscribes to a subject. Returns true if the broker denies it. */
    async function deniesSubscribe(connection: NatsConnection, subject: string): Promise<boolean> {
      const refused = Promise.withResolvers<boolean>()
      const subscription = connection.subscribe(subject, {
        callback: (error) => refused.resolve(error instanceof PermissionViolationError),
      })
      await connection.flush()
      // The broker sends the denial before the response to the flush.
      setImmediate(() => refused.resolve(false))
      const outcome = await refused.promise
      subscription.unsubscribe()
      return outcome
    }

    it('needs a name and a password', async () => {
      await expect(connect({ servers: nats.url, maxReconnectAttempts: 0 })).rejects.toThrow(/[Aa]uthorization/)
      await expect(as('data', 'guessed')).rejects.toThrow(/[Aa]uthorization/)
      await expect(as('unknown')).rejects.toThrow(/[Aa]uthorization/)
    })

    it('may publish its own events and subscribe to its own wake messages', async () => {
      expect(await deniesPublish(data, `events.${shard}.data.DATA_SYNC_FINISHED.ws_1`)).toBe(false)
      expect(await deniesPublish(data, `wake.${shard}.data.sync`)).toBe(false)
      expect(await deniesSubscribe(data, `wake.${shard}.data.*`)).toBe(false)
    })

    it.each(others)('may not publish or subscribe as %s', async (other) => {
      const published = [
        `events.${shard}.${other}.AUDIT_RECORDED.ws_1`,
        `wake.${shard}.${other}.outbox`,
        `${inboxPrefix(other)}.x`,
      ]
      for (const subject of published) expect([subject, await deniesPublish(data, subject)]).toEqual([subject, true])
      const subscribed = [`wake.${shard}.${other}.outbox`, `wake.${shard}.${other}.>`, `${inboxPrefix(other)}.>`]
      for (const subject of subscribed) expect([subject, await deniesSubscribe(data, subject)]).toEqual([subject, true])
    })

    it('may not subscribe with a wildcard, nor to events outside its consumer', async () => {
      for (const subject of [
        '>',
        '*.>',
        'wake.>',
        `wake.${shard}.*.sync`,
        'events.>',
        '_INBOX.>',
        '$JS.ACK.>',
        '$SYS.>',
        'invalidate.identities',
        `identities.${shard}`,
        `limits.${shard}`,
      ])
        expect([subject, await deniesSubscribe(data, subject)]).toEqual([subject, true])
    })

    it('may not change streams, nor use consumers other than its own with its own filter', async () => {
      const own = 'data_embedding'
      const subjects = [
        `$JS.API.STREAM.UPDATE.${stream}`,
        `$JS.API.STREAM.DELETE.${stream}`,
        `$JS.API.STREAM.PURGE.${stream}`,
        `$JS.API.STREAM.MSG.GET.${stream}`,
        `$JS.API.STREAM.MSG.DELETE.${stream}`,
        `$JS.API.DIRECT.GET.${stream}`,
        `$JS.API.STREAM.CREATE.${stream}`,
        '$JS.API.STREAM.CREATE.OTHER',
        '$JS.API.STREAM.NAMES',
        `$JS.API.CONSUMER.CREATE.${stream}`,
        `$JS.API.CONSUMER.CREATE.${stream}.${own}`,
        `$JS.API.CONSUMER.CREATE.${stream}.${own}.events.${shard}.integrations.>`,
        `$JS.API.CONSUMER.CREATE.${stream}.${own}.events.${shard}.>`,
        `$JS.API.CONSUMER.CREATE.${stream}.${own}.events.${shard}.auth.>`,
        `$JS.API.CONSUMER.CREATE.${stream}.audit_log.events.${shard}.integrations.>`,
        `$JS.API.CONSUMER.DURABLE.CREATE.${stream}.${own}`,
        `$JS.API.CONSUMER.MSG.NEXT.${stream}.audit_log`,
        `$JS.API.CONSUMER.DELETE.${stream}.audit_log`,
        `$JS.ACK.${stream}.audit_log.1.1.1.1.1`,
        'invalidate.identities',
        `identities.${shard}`,
        `limits.${shard}`,
      ]
      for (const subject of subjects) expect([subject, await deniesPublish(data, subject)]).toEqual([subject, true])
    })

    it.each(['webhook-delivery', 'audit', 'data'])(
      '%s may not have the broker deliver to subjects of others',
      async (user) => {
        const connection = await as(user)
        const gateway = await as('gateway')
        const received: string[] = []
        for (const subject of ['invalidate.identities', `limits.${shard}`])
          gateway.subscribe(subject, { callback: (_error, message) => void received.push(message.subject) })
        await gateway.flush()
        connection.publish(`events.${shard}.${user}.AUDIT_RECORDED.ws_1`, JSON.stringify({ forged: true }))
        await connection.flush()
        for (const [name, filter] of consumersAt(shard)) {
          const subject = `$JS.API.CONSUMER.CREATE.${stream}.${name}.${filter}`
          const push = { durable_name: name, filter_subject: filter, ack_policy: 'none', deliver_policy: 'all' }
          for (const deliver_subject of ['invalidate.identities', `limits.${shard}`]) {
            const config = { ...push, deliver_subject }
            const request = connection.request(subject, JSON.stringify({ stream_name: stream, config }))
            await expect(request).rejects.toThrow(/Permissions Violation/)
          }
          // a consumer that is idle for this time is deleted, and could then be created again
          const expiring = { ...push, ack_policy: 'explicit', inactive_threshold: 1_000_000 }
          const update = connection.request(subject, JSON.stringify({ stream_name: stream, config: expiring }))
          await expect(update).rejects.toThrow(/Permissions Violation/)
        }
        await gateway.flush()
        expect(received).toEqual([])
        await Promise.all([connection.close(), gateway.close()])
      },
    )

    it('gets an error, as the migrator, for a request whose filter differs from the one in the subject', async () => {
      const subject = `$JS.API.CONSUMER.CREATE.${stream}.data_embedding.events.${shard}.integrations.>`
      const config = { durable_name: 'data_embedding', filter_subject: `events.${shard}.>`, ack_policy: 'explicit' }
      const migrator = await as('migrator')
      const response = await migrator.request(subject, JSON.stringify({ stream_name: stream, config }))
      expect(response.json()).toEqual(expect.objectContaining({ error: expect.objectContaining({ code: 400 }) }))
      await migrator.close()
    })
  })
}
