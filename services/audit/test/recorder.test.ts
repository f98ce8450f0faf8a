import { describe, expect, it } from '@jest/globals'
import { auditActionOwners, endpoints, serviceNames } from '@wp/contracts'
import { newId } from '@wp/database'
import { eventSubject } from '@wp/events'
import { rejectionReason } from '../src/recorder.ts'
import { eventOf } from './fixture/harness.ts'

const workspaceId = newId('ws')

/** Returns the rejection of an event published under the subject of a producer. */
const rejection = (producer: string, event = eventOf(workspaceId)) =>
  rejectionReason(eventSubject('s1', producer, event), event)

describe('a producer', () => {
  it('may record the actions declared by the endpoints it serves, and no others', () => {
    const audited = endpoints.flatMap(({ service, definition }) =>
      definition.audit === undefined ? [] : [{ service, action: definition.audit.action }],
    )
    expect(audited.length).toBeGreaterThan(20)
    for (const { service, action } of audited)
      for (const producer of [...serviceNames, 'gateway', 'stranger']) {
        const isOwner = audited.some((one) => one.action === action && one.service === producer)
        const expected = isOwner ? undefined : `${producer} may not record ${action}`
        expect([service, producer, rejection(producer, eventOf(workspaceId, { action }))]).toEqual([
          service,
          producer,
          expected,
        ])
      }
  })

  it('may record the actions declared for it by name', () => {
    expect(auditActionOwners.get('workspace.seeded')).toEqual(new Set(['auth']))
    expect(rejection('auth', eventOf(workspaceId, { action: 'workspace.seeded' }))).toBeUndefined()
    expect(rejection('data', eventOf(workspaceId, { action: 'workspace.seeded' }))).toMatch('may not record')
    expect(rejection('auth', eventOf(workspaceId, { action: 'never.heard_of' }))).toMatch('may not record')
  })

  it('may record only denials when it is the edge', () => {
    const denial = { action: 'request.denied', outcome: 'denied' }
    expect(rejection('gateway', eventOf(workspaceId, denial))).toBeUndefined()
    expect(rejection('gateway', eventOf(workspaceId, { ...denial, outcome: 'success' }))).toMatch(
      'only record denied requests',
    )
    expect(rejection('data', eventOf(workspaceId, denial))).toMatch('may not record')
  })

  it('may record events without a workspace only as the edge, auth or system', () => {
    const allowed = (producer: string, action: string, outcome = 'success') =>
      rejection(producer, eventOf('', { action, outcome }))
    expect(allowed('auth', 'user.updated')).toBeUndefined()
    expect(allowed('gateway', 'request.denied', 'denied')).toBeUndefined()
    expect(allowed('system', 'workspace_variable.set')).toBeUndefined()
    expect(allowed('data', 'data_source.created')).toBe('data may not record events without a workspace')
  })
})

describe('an event', () => {
  it('is rejected when its workspace or kind differs from its subject', () => {
    const event = eventOf(workspaceId)
    const other = eventOf(newId('ws'))
    expect(rejectionReason(eventSubject('s1', 'data', other), event)).toBe('the subject names another workspace')
    expect(rejectionReason(eventSubject('s1', 'data', { ...event, workspace_id: '' }), event)).toMatch(
      'another workspace',
    )
    expect(rejection('data', { ...event, kind: 'USER_REMOVED' })).toBe('the event is not an audit event')
    expect(rejectionReason(eventSubject('s1', 'data', event), { ...event, kind: 'USER_REMOVED' })).toMatch(
      'not an audit event',
    )
  })

  it.each(['platform', 'ws_1', 'ws_01H455VB4PEX5VSKNK084SN02Q'])('is rejected when its workspace id is %s', (name) => {
    expect(rejection('auth', eventOf(name, { action: 'user.updated' }))).toBe('the workspace id is malformed')
  })

  it('is rejected when its subject is unknown or its content is malformed', () => {
    expect(rejectionReason(null, eventOf(workspaceId))).toBe('the subject is unknown')
    expect(rejection('data', eventOf(workspaceId, {}, { id: 'evt_1' }))).toMatch('event id')
    expect(rejection('data', eventOf(workspaceId, {}, { occurred_at: '2026-01-05' }))).toMatch('time')
    expect(rejection('data', eventOf(workspaceId, { outcome: 'perhaps' }))).toMatch('outcome')
  })
})
