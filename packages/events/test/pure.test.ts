import { describe, expect, it } from '@jest/globals'
import { Problem } from '@wp/contracts'
import { checkEnvelope, parseEnvelope, toEnvelope } from '../src/bus/envelope.ts'
import { findMismatches, streamConfig } from '../src/bus/stream-config.ts'
import { durableName, eventSubject, filterSubject, wakeSubject } from '../src/bus/subject.ts'
import { BrokerUnavailable, isInfrastructureError } from '../src/index.ts'
import { createRateMeter } from '../src/outbox/rate-meter.ts'
import { classifyLoss } from '../src/outbox/stream-watch.ts'

const row = {
  position: 1,
  id: 'evt_01h455vb4pex5vsknk084sn02q',
  kind: 'USER_REMOVED',
  workspaceId: 'ws_01h455vb4pex5vsknk084sn02q',
  occurredAt: new Date('2026-01-05T09:30:00.125Z'),
  actor: { id: 'usr_1', type: 'user' },
  requestId: 'req-4f1c2a90',
  traceparent: null,
  data: { id: 'usr_2', status: 'removed' },
}

const event = toEnvelope(row)

describe('a subject', () => {
  const event = { kind: row.kind, workspace_id: row.workspaceId }

  it('consists of the tokens shard, producer, kind and workspace', () => {
    expect(eventSubject('s1', 'webhook-delivery', event)).toBe(
      'events.s1.webhook-delivery.USER_REMOVED.ws_01h455vb4pex5vsknk084sn02q',
    )
    expect(eventSubject('s1', 'auth', { ...event, workspace_id: '' })).toBe('events.s1.auth.USER_REMOVED._')
    expect(wakeSubject('s1', 'data', 'sync')).toBe('wake.s1.data.sync')
    expect(durableName('data', 'fan-out')).toBe('data_fan-out')
  })

  it.each(['a.b', '*', '>', 'a b', '', 'a\n', 'ä'])('rejects %j as a token', (token) => {
    expect(() => eventSubject('s1', 'auth', { ...event, kind: token })).toThrow('not a valid subject token')
    expect(() => eventSubject(token, 'auth', event)).toThrow('not a valid subject token')
    expect(() => wakeSubject('s1', 'data', token)).toThrow('not a valid subject token')
    if (token !== '') expect(() => eventSubject('s1', 'auth', { ...event, workspace_id: token })).toThrow()
  })

  it('is filtered by the narrowest single subject', () => {
    expect(filterSubject('s1', { kinds: ['A'] })).toBe('events.s1.*.A.*')
    expect(filterSubject('s1', { kinds: ['A'], producer: 'auth' })).toBe('events.s1.auth.A.*')
    expect(filterSubject('s1', { kinds: ['A', 'B'], producer: 'auth' })).toBe('events.s1.auth.>')
    expect(filterSubject('s1', { kinds: ['A', 'B'] })).toBe('events.s1.>')
    expect(filterSubject('s1', { kinds: 'all' })).toBe('events.s1.>')
  })
})

describe('an envelope', () => {
  const bytes = (value: unknown) => new TextEncoder().encode(JSON.stringify(value))

  it('has exactly the declared fields and is parsed unchanged', () => {
    expect(Object.keys(event)).toEqual('id kind workspace_id occurred_at actor request_id traceparent data'.split(' '))
    expect(event.occurred_at).toBe('2026-01-05T09:30:00.125Z')
    expect(parseEnvelope(bytes(event))).toEqual({ event })
  })

  it.each([
    ['not an object', [1]],
    ['id is not a string', { ...event, id: 7 }],
    ['id or kind is empty', { ...event, kind: '' }],
    ['occurred_at is not a timestamp', { ...event, occurred_at: 'yesterday' }],
    ['traceparent is not a string or null', { ...event, traceparent: 1 }],
    ['actor has no id and type', { ...event, actor: { id: 'usr_1' } }],
    ['data is not an object', { ...event, data: null }],
  ])('is rejected when %s', (defect, value) => {
    expect(checkEnvelope(value)).toEqual({ defect })
  })

  it('is rejected when it is not JSON', () => {
    expect(parseEnvelope(new TextEncoder().encode('{'))).toEqual({ defect: expect.stringMatching(/^not JSON/) })
    expect(parseEnvelope(Uint8Array.of(0xff))).toEqual({ defect: expect.stringMatching(/^not JSON/) })
  })
})

describe('classifyLoss', () => {
  it.each([
    [{ sameStream: true, sameServer: true }, false, 'none'],
    [{ sameStream: true, sameServer: true }, true, 'crash'],
    [{ sameStream: true, sameServer: false }, false, 'crash'],
    [{ sameStream: false, sameServer: true }, false, 'storage'],
    [{ sameStream: false, sameServer: false }, true, 'storage'],
  ])('given %j and reconnection %j returns %s', (known, isReconnection, loss) => {
    expect(classifyLoss(known, isReconnection)).toBe(loss)
  })
})

describe('a stream', () => {
  it('has file storage, limits retention of seven days, discard new and a duplicate window of ten minutes', () => {
    expect(streamConfig('s1', { replicas: 3, maxBytes: 5 })).toEqual({
      name: 'EVENTS_s1',
      subjects: ['events.s1.>'],
      storage: 'file',
      retention: 'limits',
      discard: 'new',
      max_age: 604_800_000_000_000,
      max_bytes: 5,
      duplicate_window: 600_000_000_000,
      num_replicas: 3,
    })
  })

  it('is compared by the requested settings only', () => {
    expect(findMismatches({ a: 1, b: ['x'] }, { a: 1, b: ['x'], c: 3 })).toEqual([])
    expect(findMismatches({ a: 1, b: ['x'] }, { a: 2 })).toEqual([
      'a is 2 instead of 1',
      'b is undefined instead of ["x"]',
    ])
  })
})

describe('isInfrastructureError', () => {
  const coded = (code: string) => Object.assign(new Error('x'), { code })

  it.each(['ECONNREFUSED', 'EAI_AGAIN', '08006', '57P01', '53300', '40P01', '25006', 'P1001', 'P2024'])(
    'returns true for code %s',
    (code) => {
      expect(isInfrastructureError(coded(code))).toBe(true)
      expect(isInfrastructureError(new Error('outer', { cause: coded(code) }))).toBe(true)
    },
  )

  it('returns true when a broker or service is unavailable, and for messages of the driver', () => {
    expect(isInfrastructureError(new BrokerUnavailable())).toBe(true)
    expect(isInfrastructureError(new Problem('service_unavailable'))).toBe(true)
    expect(isInfrastructureError(new Error('Connection terminated unexpectedly'))).toBe(true)
  })

  it.each([
    coded('23505'),
    coded('42P01'),
    coded('P2002'),
    new Problem('not_found'),
    Object.assign(coded('ECONNREFUSED'), { name: 'OutboundError' }),
    new Error('x'),
    'ECONNREFUSED',
    null,
  ])('returns false for %p', (error) => {
    expect(isInfrastructureError(error)).toBe(false)
  })
})

describe('createRateMeter', () => {
  it.each([
    [7, 7],
    [50, 50],
    [200, 200],
  ])('measures %s events per second', (perSecond, expected) => {
    const meter = createRateMeter()
    let rate = 0
    for (let index = 0; index < 3.3 * perSecond; index += 1) rate = meter.count(1_000_000 + (index * 1_000) / perSecond)
    expect(Math.abs(rate - expected)).toBeLessThanOrEqual(1)
  })

  it('forgets a burst after a pause', () => {
    const meter = createRateMeter()
    for (let index = 0; index < 500; index += 1) meter.count(5_000)
    expect(meter.count(5_500)).toBe(501)
    expect(meter.count(7_500)).toBe(1)
  })
})
