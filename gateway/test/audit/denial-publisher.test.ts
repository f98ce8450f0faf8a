import { afterEach, describe, expect, it } from '@jest/globals'
import type { DomainEvent } from '@wp/contracts'
import { eventually } from '@wp/testkit'
import { createDenialPublisher, type DenialPublisher } from '../../src/audit/denial-publisher.ts'

const open: DenialPublisher[] = []
afterEach(() => Promise.all(open.splice(0).map((outgoing) => outgoing.close(0))))

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

/** What is on its way to a broker that is away, takes some, or takes all. */
function openOutgoing({ most = 10_000 }: { most?: number } = {}) {
  const broker = { takes: (_id: string): boolean => true, tries: 0, got: [] as string[], answers: Promise.resolve() }
  const counts: Record<string, number> = {}
  const clock = { now: 1_000_000 }
  const outgoing = createDenialPublisher({
    async publish({ id }) {
      broker.tries += 1
      await broker.answers
      if (!broker.takes(id)) throw new Error('away')
      broker.got.push(id)
    },
    log: { warn() {}, error() {} },
    metrics: {
      count(name, _labels, by = 1) {
        counts[name] = (counts[name] ?? 0) + by
      },
      gauge() {},
    },
    now: () => clock.now,
    maxWaiting: most,
  })
  open.push(outgoing)
  const add = (...ids: string[]) => {
    for (const id of ids) outgoing.add(eventOf(id))
  }
  return { outgoing, broker, counts, clock, add }
}

const names = (count: number, prefix = 'e') => Array.from({ length: count }, (_, index) => `${prefix}${index}`)

describe('what goes to the broker', () => {
  it('is sent soon, in order, each once', async () => {
    const { broker, counts, add } = openOutgoing()
    const all = names(450)
    add(...all)
    await eventually(() => broker.got.length === 450)
    expect(broker.got).toEqual(all)
    expect([broker.tries, counts]).toEqual([450, { edge_audit_published: 450 }])
  })

  it('is tried until the broker has it, with what came meanwhile', async () => {
    const { broker, add } = openOutgoing()
    broker.takes = () => false
    add('a', 'b')
    await eventually(() => broker.tries >= 4)
    add('c')
    broker.takes = (id) => id !== 'b'
    await eventually(() => broker.got.length === 2)
    broker.takes = () => true
    await eventually(() => broker.got.length === 3)
    expect([...broker.got].sort()).toEqual(['a', 'b', 'c'])
  })

  it('is dropped, the newest, and counted, when too much waits', async () => {
    const { broker, counts, add } = openOutgoing({ most: 5 })
    broker.takes = () => false
    add(...names(8))
    expect(counts).toEqual({ edge_audit_dropped: 3 })
    await eventually(() => broker.tries >= 5)
    broker.takes = () => true
    await eventually(() => broker.got.length === 5)
    expect(broker.got).toEqual(names(5))
  })

  it('is sent again when the broker is back, for what it may have lost, but not what it had long ago', async () => {
    const { outgoing, broker, clock, add } = openOutgoing()
    add('old')
    await eventually(() => broker.got.length === 1)
    clock.now += 599_999
    add('new')
    await eventually(() => broker.got.length === 2)
    clock.now += 1
    outgoing.republishRecent()
    await eventually(() => broker.got.length === 3)
    expect(broker.got).toEqual(['old', 'new', 'new'])
    outgoing.republishRecent()
    outgoing.republishRecent()
    await eventually(() => broker.got.length >= 4)
    expect(broker.got.slice(3)).toEqual(['new'])
  })

  it('loses nothing when the broker comes back while something is being sent', async () => {
    const { outgoing, broker, add } = openOutgoing()
    add('first')
    await eventually(() => broker.got.length === 1)
    const answering = Promise.withResolvers<void>()
    broker.answers = answering.promise
    add(...names(300))
    await eventually(() => broker.tries > 1)
    outgoing.republishRecent()
    add('last')
    answering.resolve()
    await eventually(() => new Set(broker.got).size === 302)
  })
})

describe('at the end', () => {
  it('all is sent that can be, without waiting for its time', async () => {
    const { outgoing, broker, add } = openOutgoing()
    add(...names(500))
    expect(await outgoing.close(1_000)).toBe(0)
    expect(broker.got).toHaveLength(500)
  })

  it('what cannot be is counted as lost, in bounded time', async () => {
    const { outgoing, broker, counts, add } = openOutgoing()
    broker.takes = (id) => id !== 'e1'
    add(...names(3))
    expect(await outgoing.close(150)).toBe(1)
    expect(counts).toEqual({ edge_audit_published: 2, edge_audit_dropped: 1 })
  })
})
