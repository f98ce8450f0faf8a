import { afterEach, describe, expect, it } from '@jest/globals'
import type { DomainEvent } from '@wp/contracts'
import { eventually } from '@wp/testkit'
import { EventPublisher } from '../src/event-publisher.ts'

const publishers: EventPublisher[] = []
afterEach(() => Promise.all(publishers.splice(0).map((publisher) => publisher.close(0))))

const eventOf = (id: string): DomainEvent => ({
  id,
  kind: 'AUDIT_RECORDED',
  workspace_id: '',
  occurred_at: '2026-01-05T09:30:00.000Z',
  actor: { id: 'usr_1', type: 'user' },
  request_id: 'req-1',
  traceparent: null,
  data: {},
})

/** Creates a publisher to a broker that accepts the events the test chooses. */
function createHarness({ maxWaiting = 10_000 }: { maxWaiting?: number } = {}) {
  const broker = {
    accepts: (_id: string): boolean => true,
    attempts: 0,
    received: [] as string[],
    responds: Promise.resolve(),
  }
  const counts: Record<string, number> = {}
  const clock = { now: 1_000_000 }
  const publisher = new EventPublisher({
    noun: 'denial',
    metric: 'edge_audit',
    async publish({ id }) {
      broker.attempts += 1
      await broker.responds
      if (!broker.accepts(id)) throw new Error('unavailable')
      broker.received.push(id)
    },
    log: { warn() {}, error() {} },
    metrics: {
      count(name, _labels, by = 1) {
        counts[name] = (counts[name] ?? 0) + by
      },
      gauge() {},
    },
    now: () => clock.now,
    maxWaiting,
  })
  publishers.push(publisher)
  const add = (...ids: string[]) => {
    for (const id of ids) publisher.add(eventOf(id))
  }
  return { publisher, broker, counts, clock, add }
}

const names = (count: number, prefix = 'e') => Array.from({ length: count }, (_, index) => `${prefix}${index}`)

describe('the event publisher', () => {
  it('publishes events in order, each once', async () => {
    const { broker, counts, add } = createHarness()
    const all = names(450)
    add(...all)
    await eventually(() => broker.received.length === 450)
    expect(broker.received).toEqual(all)
    expect([broker.attempts, counts]).toEqual([450, { edge_audit_published: 450 }])
  })

  it('retries events until the broker acknowledges them, together with later ones', async () => {
    const { broker, add } = createHarness()
    broker.accepts = () => false
    add('a', 'b')
    await eventually(() => broker.attempts >= 4)
    add('c')
    broker.accepts = (id) => id !== 'b'
    await eventually(() => broker.received.length === 2)
    broker.accepts = () => true
    await eventually(() => broker.received.length === 3)
    expect([...broker.received].sort()).toEqual(['a', 'b', 'c'])
  })

  it('drops and counts the newest events when too many wait', async () => {
    const { broker, counts, add } = createHarness({ maxWaiting: 5 })
    broker.accepts = () => false
    add(...names(8))
    expect(counts).toEqual({ edge_audit_dropped: 3 })
    await eventually(() => broker.attempts >= 5)
    broker.accepts = () => true
    await eventually(() => broker.received.length === 5)
    expect(broker.received).toEqual(names(5))
  })

  it('republishes recent events, but not old ones, when the broker is back', async () => {
    const { publisher, broker, clock, add } = createHarness()
    add('old')
    await eventually(() => broker.received.length === 1)
    clock.now += 599_999
    add('new')
    await eventually(() => broker.received.length === 2)
    clock.now += 1
    publisher.republishRecent()
    await eventually(() => broker.received.length === 3)
    expect(broker.received).toEqual(['old', 'new', 'new'])
    publisher.republishRecent()
    publisher.republishRecent()
    await eventually(() => broker.received.length >= 4)
    expect(broker.received.slice(3)).toEqual(['new'])
  })

  it('loses nothing when the broker returns while a batch is in flight', async () => {
    const { publisher, broker, add } = createHarness()
    add('first')
    await eventually(() => broker.received.length === 1)
    const responding = Promise.withResolvers<void>()
    broker.responds = responding.promise
    add(...names(300))
    await eventually(() => broker.attempts > 1)
    publisher.republishRecent()
    add('last')
    responding.resolve()
    await eventually(() => new Set(broker.received).size === 302)
  })
})

describe('closing the event publisher', () => {
  it('publishes everything at once', async () => {
    const { publisher, broker, add } = createHarness()
    add(...names(500))
    expect(await publisher.close(1_000)).toBe(0)
    expect(broker.received).toHaveLength(500)
  })

  it('counts as lost what the broker does not accept in time', async () => {
    const { publisher, broker, counts, add } = createHarness()
    broker.accepts = (id) => id !== 'e1'
    add(...names(3))
    expect(await publisher.close(150)).toBe(1)
    expect(counts).toEqual({ edge_audit_published: 2, edge_audit_dropped: 1 })
  })
})
