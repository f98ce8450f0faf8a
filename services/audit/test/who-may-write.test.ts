import { describe, expect, it } from '@jest/globals'
import { auditActionOwners, endpoints, serviceNames } from '@wp/contracts'
import { newId } from '@wp/database'
import { eventSubject } from '@wp/events'
import { whyRefused } from '../src/rules/who-may-write.ts'
import { eventOf } from './fixture/audit.ts'

const workspaceId = newId('ws')

/** What the log says to an event under the subject of a producer. */
const said = (producer: string, event = eventOf(workspaceId)) => whyRefused(eventSubject('s1', producer, event), event)

describe('what may be written', () => {
  it('is what endpoints declare, by the service that serves them, and by no other', () => {
    const audited = endpoints.flatMap(({ service, definition }) =>
      definition.audit === undefined ? [] : [{ service, action: definition.audit.action }],
    )
    expect(audited.length).toBeGreaterThan(20)
    for (const { service, action } of audited)
      for (const producer of [...serviceNames, 'gateway', 'stranger']) {
        const isOwner = audited.some((one) => one.action === action && one.service === producer)
        const refusal = isOwner ? undefined : `${producer} may not say of ${action}`
        expect([service, producer, said(producer, eventOf(workspaceId, { action }))]).toEqual([
          service,
          producer,
          refusal,
        ])
      }
  })

  it('is beside that what is declared by name', () => {
    expect(auditActionOwners.get('workspace.seeded')).toEqual(new Set(['auth']))
    expect(said('auth', eventOf(workspaceId, { action: 'workspace.seeded' }))).toBeUndefined()
    expect(said('data', eventOf(workspaceId, { action: 'workspace.seeded' }))).toMatch('may not say')
    expect(said('auth', eventOf(workspaceId, { action: 'never.heard_of' }))).toMatch('may not say')
  })

  it('is from the edge what it denied, nothing else', () => {
    const denial = { action: 'request.denied', outcome: 'denied' }
    expect(said('gateway', eventOf(workspaceId, denial))).toBeUndefined()
    expect(said('gateway', eventOf(workspaceId, { ...denial, outcome: 'success' }))).toMatch('only say what was denied')
    expect(said('data', eventOf(workspaceId, denial))).toMatch('may not say')
  })

  it('is of no workspace only from the edge, auth and system', () => {
    const allowed = (producer: string, action: string, outcome = 'success') =>
      said(producer, eventOf('', { action, outcome }))
    expect(allowed('auth', 'user.updated')).toBeUndefined()
    expect(allowed('gateway', 'request.denied', 'denied')).toBeUndefined()
    expect(allowed('system', 'workspace_variable.set')).toBeUndefined()
    expect(allowed('data', 'data_source.created')).toBe('data may not write of no workspace')
  })
})

describe('what is refused', () => {
  it('is an event that says of itself another workspace, or is no audit event, than its subject', () => {
    const event = eventOf(workspaceId)
    const other = eventOf(newId('ws'))
    expect(whyRefused(eventSubject('s1', 'data', other), event)).toBe('its subject names another workspace')
    expect(whyRefused(eventSubject('s1', 'data', { ...event, workspace_id: '' }), event)).toMatch('another workspace')
    expect(said('data', { ...event, kind: 'USER_REMOVED' })).toBe('it is no audit event')
    expect(whyRefused(eventSubject('s1', 'data', event), { ...event, kind: 'USER_REMOVED' })).toMatch('no audit event')
  })

  it.each(['platform', 'ws_1', 'ws_01H455VB4PEX5VSKNK084SN02Q'])(
    'is the chain of %s, which is no workspace',
    (name) => {
      expect(said('auth', eventOf(name, { action: 'user.updated' }))).toBe('it names no workspace')
    },
  )

  it('is what nobody vouches for, or what is malformed', () => {
    expect(whyRefused(null, eventOf(workspaceId))).toBe('it is not known who said it')
    expect(said('data', eventOf(workspaceId, {}, { id: 'evt_1' }))).toMatch('identifier')
    expect(said('data', eventOf(workspaceId, {}, { occurred_at: '2026-01-05' }))).toMatch('time')
    expect(said('data', eventOf(workspaceId, { outcome: 'perhaps' }))).toMatch('outcome')
  })
})
