import { describe, expect, it } from '@jest/globals'
import { auditActionOwners, auditOutcomes, principalTypes } from '@wp/contracts'
import type { RecordView } from '../../src/exports/formats/export-format.ts'
import { formats } from '../../src/exports/formats/index.ts'
import { ApiActivity } from './ocsf-schema.ts'

const workspaceId = 'ws_01h455vb4pex5vsknk084sn02q'

const recordOf = (changes: Partial<RecordView> = {}): RecordView => ({
  id: 'log_01h455vb4pex5vsknk084sn02q',
  seq: 7,
  action: 'data_source.created',
  occurred_at: '2026-03-04T05:06:07.890Z',
  actor: { id: 'usr_1', type: 'user', name: 'Ada' },
  targets: [{ type: 'data_source', id: 'src_1' }],
  context: { ip: '203.0.113.9', user_agent: 'curl/8', request_id: 'req-1' },
  outcome: 'success',
  changes: null,
  prev_hash: '0'.repeat(64),
  hash: 'a'.repeat(64),
  ...changes,
})

const hostile = 'a "quoted", line\r\nsecond\u2028third \u0000😀'

describe('csv', () => {
  const { header, line } = formats.csv

  it('has a header row and one row a record, with CRLF', () => {
    expect(header).toBe(
      'seq,id,occurred_at,action,outcome,actor_type,actor_id,actor_name,targets,changes,ip,user_agent,request_id,prev_hash,hash,actor_client_id,actor_session_id\r\n',
    )
    expect(line(recordOf(), workspaceId)).toBe(
      `7,log_01h455vb4pex5vsknk084sn02q,2026-03-04T05:06:07.890Z,data_source.created,success,user,usr_1,Ada,"[{""type"":""data_source"",""id"":""src_1""}]",,203.0.113.9,curl/8,req-1,${'0'.repeat(64)},${'a'.repeat(64)},,\r\n`,
    )
  })

  it('leaves the cells of missing values empty', () => {
    const actor = { id: 'sp_1', type: 'service_principal' }
    const context = { ip: null, user_agent: null, request_id: 'req-1' }
    expect(line(recordOf({ actor, context }), workspaceId)).toContain(',service_principal,sp_1,,"[{')
    expect(line(recordOf({ actor, context }), workspaceId)).toContain('"",,,,req-1,'.slice(2))
  })

  it('ends with the application and the session of the actor', () => {
    const actor = { id: 'usr_1', type: 'user', client_id: 'https://app.example/c.json', session_id: 'ses_1' }
    expect(line(recordOf({ actor }), workspaceId)).toMatch(/,https:\/\/app\.example\/c\.json,ses_1\r\n$/)
  })

  it('quotes separators, quotes and line breaks', () => {
    const context = { ip: null, user_agent: hostile, request_id: 'req-1' }
    expect(line(recordOf({ context }), workspaceId)).toContain(`,"${hostile.replaceAll('"', '""')}",req-1,`)
  })

  it.each([
    ['=1+1', `'=1+1`],
    ['+1', `'+1`],
    ['-1', `'-1`],
    ['@SUM(A1)', `'@SUM(A1)`],
    ['\t=1', `"'\t'=1"`],
    ['x;=1+1;y', `"x;'=1+1;y"`],
    ['＝1+1', `'＝1+1`],
    ['\r=1', `"'\r'=1"`],
    ['\n=1', `"'\n'=1"`],
    ['=HYPERLINK("x","y")', `"'=HYPERLINK(""x"",""y"")"`],
    ['a=1', 'a=1'],
  ])('begins %j as text, so that no spreadsheet evaluates it', (userAgent, cell) => {
    const context = { ip: null, user_agent: userAgent, request_id: 'req-1' }
    expect(line(recordOf({ context }), workspaceId)).toContain(`,,${cell},req-1,`)
  })
})

describe('jsonl', () => {
  it('is the record of the API on one line, whatever its text', () => {
    const record = recordOf({ changes: { note: hostile }, actor: { id: 'usr_1', type: 'user', name: hostile } })
    const text = formats.jsonl.line(record, workspaceId)
    expect(text.split('\n')).toHaveLength(2)
    expect(JSON.parse(text)).toEqual(record)
  })
})

describe('ocsf', () => {
  const eventOf = (record: RecordView) => JSON.parse(formats.ocsf.line(record, workspaceId))

  it('has the application and the session of the actor', () => {
    const actor = { id: 'usr_1', type: 'user', client_id: 'https://app.example/c.json', session_id: 'ses_1' }
    const event = eventOf(recordOf({ actor }))
    expect(event.actor).toMatchObject({ app_uid: actor.client_id, session: { uid: actor.session_id } })
    expect(ApiActivity.parse(event).actor).toEqual(event.actor)
  })

  it('maps a record to an event of API Activity', () => {
    expect(eventOf(recordOf({ changes: { name: ['old', 'new'] } }))).toEqual({
      category_uid: 6,
      category_name: 'Application Activity',
      class_uid: 6003,
      class_name: 'API Activity',
      activity_id: 1,
      activity_name: 'Create',
      type_uid: 600301,
      type_name: 'API Activity: Create',
      severity_id: 1,
      severity: 'Informational',
      time: 1772600767890,
      status_id: 1,
      status: 'Success',
      metadata: {
        version: '1.3.0',
        product: { name: 'Audit log', vendor_name: 'Workspace platform' },
        uid: 'log_01h455vb4pex5vsknk084sn02q',
        sequence: 7,
        event_code: 'data_source.created',
        correlation_uid: 'req-1',
        original_time: '2026-03-04T05:06:07.890Z',
        tenant_uid: workspaceId,
      },
      actor: { user: { uid: 'usr_1', name: 'Ada', type_id: 1, type: 'User' } },
      api: { operation: 'data_source.created', request: { uid: 'req-1' } },
      src_endpoint: { ip: '203.0.113.9' },
      http_request: { user_agent: 'curl/8' },
      resources: [{ uid: 'src_1', type: 'data_source' }],
      unmapped: { changes: { name: ['old', 'new'] }, prev_hash: '0'.repeat(64), hash: 'a'.repeat(64) },
    })
  })

  it('has every required attribute when the personal data was erased', () => {
    const context = { ip: null, user_agent: null, request_id: 'req-1' }
    const event = eventOf(recordOf({ context, actor: { id: 'sp_1', type: 'service_principal' }, targets: [] }))
    expect(ApiActivity.safeParse(event).error).toBeUndefined()
    expect(event).toMatchObject({
      src_endpoint: { name: 'unknown' },
      actor: { user: { uid: 'sp_1', type_id: 99, type: 'service_principal' } },
    })
    expect(event).not.toHaveProperty('http_request')
  })

  it.each([
    ['data_source.created', 600301, 'Create'],
    ['forecast_run.started', 600301, 'Create'],
    ['webhook.secret_read', 600302, 'Read'],
    ['audit_doc.downloaded', 600302, 'Read'],
    ['user.role_changed', 600303, 'Update'],
    ['integration.updated', 600303, 'Update'],
    ['data_source.records_deleted', 600304, 'Delete'],
    ['api_key.revoked', 600304, 'Delete'],
    ['user.signed_in', 600399, 'signed_in'],
    ['request.denied', 600399, 'denied'],
  ])('classifies %s as %i, %s', (action, typeUid, name) => {
    expect(eventOf(recordOf({ action }))).toMatchObject({ type_uid: typeUid, activity_name: name })
  })

  it('conforms to the schema for every action, outcome and type of actor', () => {
    for (const action of auditActionOwners.keys())
      for (const outcome of auditOutcomes)
        for (const type of principalTypes) {
          const event = eventOf(recordOf({ action, outcome, actor: { id: 'id', type }, changes: { note: hostile } }))
          expect([action, ApiActivity.safeParse(event).error]).toEqual([action, undefined])
        }
  })

  it.each([
    ['203.0.113.9', { ip: '203.0.113.9' }],
    ['2001:db8::1', { ip: '2001:db8::1' }],
    ['::ffff:203.0.113.9', { ip: '::ffff:203.0.113.9' }],
    ['unix:', { name: 'unix:' }],
    ['', { name: 'unknown' }],
  ])('names the address %j as the schema asks', (ip, endpoint) => {
    const event = eventOf(recordOf({ context: { ip, user_agent: null, request_id: 'req-1' } }))
    expect(event.src_endpoint).toEqual(endpoint)
    expect(ApiActivity.safeParse(event).error).toBeUndefined()
  })

  it.each(['denied', 'failure'] as const)('maps the outcome %s to a failure that names it', (outcome) => {
    expect(eventOf(recordOf({ outcome }))).toMatchObject({ status_id: 2, status: 'Failure', status_detail: outcome })
  })
})
