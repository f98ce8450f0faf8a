import type { IncomingMessage } from 'node:http'
import { describe, expect, it } from '@jest/globals'
import { auditRecorded, type ErrorCode, type Identity, id, problem, systemWorkspaces } from '@wp/contracts'
import { type Denial, type DenialContext, denialOf } from '../../src/audit/denial.ts'
import { denialEvent } from '../../src/audit/denial-event.ts'
import { createDenialThrottle, maxDenialsPerWindow } from '../../src/audit/denial-throttle.ts'

const [mine, second, foreign] = ['1', '2', '3'].map((n) => `ws_01h455vb4pex5vsknk084sn02${n}`) as [
  string,
  string,
  string,
] // three in, three out

const grantIn = (workspaceId: string) => ({
  workspace_id: workspaceId,
  shard: 's1',
  location: 'TST',
  scopes: [],
  limits: { workspace_per_minute: 1 },
})

/** Somebody known, with a credential of a workspace or of none, and grants in some. */
const knownIn = (grants: string[], embedded: string | null = null, tokenWorkspaceId?: string) => {
  const identity: Identity = {
    principal: { id: 'usr_01h455vb4pex5vsknk084sn02q', type: 'user' },
    credential_id: 'ses_01h455vb4pex5vsknk084sn02q',
    credential_type: 'bearer',
    workspace_id: embedded,
    grants: grants.map(grantIn),
    limits: { credential_per_minute: 1 },
    expires_at: null,
    tokens_valid_after: null,
  }
  const token = { tokenScopes: undefined, tokenScope: undefined, tokenWorkspaceId, tokenId: undefined }
  return { identity, ...token, expiresAt: Number.POSITIVE_INFINITY }
}

const requestWith = (headers: Record<string, string>) => ({ headers }) as unknown as IncomingMessage // all that is read of it

function refusal(
  code: ErrorCode,
  more: Partial<DenialContext> = {},
  headers: Record<string, string> = {},
): DenialContext {
  return {
    error: problem(code),
    definition: systemWorkspaces.getWorkspace,
    request: requestWith(headers),
    requestId: 'req-of-this-one',
    clientAddress: '203.0.113.9',
    resolved: knownIn([mine]),
    workspaceId: undefined,
    ...more,
  }
}

const workspaceOf = (one: DenialContext) => denialOf(one)?.workspaceId

describe('a refusal', () => {
  it('of somebody known is noted, with who, what, where from', () => {
    const thrown = problem('missing_scope', { extra: { required_scope: 'workspace:read' } })
    expect(
      denialOf(refusal('missing_scope', { error: thrown, workspaceId: mine }, { 'user-agent': 'curl/8' })),
    ).toEqual({
      credentialId: 'ses_01h455vb4pex5vsknk084sn02q',
      workspaceId: mine,
      shard: 's1',
      actor: { id: 'usr_01h455vb4pex5vsknk084sn02q', type: 'user' },
      endpointId: 'system.getWorkspace',
      askedWorkspaceId: undefined,
      code: 'missing_scope',
      requiredScope: 'workspace:read',
      ip: '203.0.113.9',
      userAgent: 'curl/8',
      requestId: 'req-of-this-one',
    })
  })

  it.each(['missing_scope', 'workspace_forbidden', 'workspace_mismatch', 'bearer_required', 'user_required'] as const)(
    '%s is noted',
    (code) => {
      expect(denialOf(refusal(code))).toMatchObject({ code })
      expect(denialOf(refusal(code, { resolved: undefined }))).toBeUndefined()
    },
  )

  it.each(['rate_limited', 'workspace_required', 'missing_credential', 'invalid_credential', 'not_found'] as const)(
    '%s is not',
    (code) => {
      expect(denialOf(refusal(code))).toBeUndefined()
      expect(denialOf(refusal(code, { resolved: undefined }))).toBeUndefined()
    },
  )

  it('that is a failure of ours is not', () => {
    expect(denialOf(refusal('missing_scope', { error: new Error('broken') }))).toBeUndefined()
  })

  it('goes to the workspace it would have run in, else to the caller’s own, never to the one that was asked for', () => {
    const asked = { 'x-workspace-key': foreign }
    const forbidden = (known: DenialContext['resolved']) => refusal('workspace_forbidden', { resolved: known }, asked)
    expect(workspaceOf(refusal('missing_scope', { resolved: knownIn([mine, second]), workspaceId: second }))).toBe(
      second,
    )
    expect(workspaceOf(refusal('workspace_mismatch', { resolved: knownIn([mine], mine) }, asked))).toBe(mine)
    expect(workspaceOf(forbidden(knownIn([mine])))).toBe(mine)
    expect(workspaceOf(forbidden(knownIn([mine, second])))).toBe('')
    expect(workspaceOf(forbidden(knownIn([mine, second], null, second)))).toBe(second)
    expect(workspaceOf(forbidden(knownIn([])))).toBe('')
    // a token of a workspace the user has left
    expect(workspaceOf(refusal('workspace_forbidden', { resolved: knownIn([mine, second], null, foreign) }))).toBe('')
    expect(denialOf(forbidden(knownIn([mine])))?.requestedWorkspaceId).toBe(foreign)
    expect(
      denialOf(refusal('workspace_forbidden', {}, { 'x-workspace-key': 'nonsense' }))?.requestedWorkspaceId,
    ).toBeUndefined()
  })

  it('of a credential that has ended is noted where it names a workspace', () => {
    const ended = (headers: Record<string, string>) =>
      denialOf(refusal('revoked_credential', { resolved: undefined }, headers))
    const key = `key_s1.TST.${mine}.20f4851f-f293-4065-8c64-546c2509893e`
    expect(ended({ 'x-api-key': key })).toMatchObject({
      workspaceId: mine,
      actor: { id: '…893e', type: 'api_key' },
      code: 'revoked_credential',
    })
    expect(JSON.stringify(ended({ 'x-api-key': key }))).not.toContain('20f4851f')
    const token = (claims: object) => {
      const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
      return { authorization: `Bearer ${part({ alg: 'ES256' })}.${part(claims)}.c2ln` }
    }
    const machine = { sub: 'sp_1', principal_type: 'service_principal' }
    expect(ended(token({ ...machine, workspace_id: mine, shard: 's2' }))).toMatchObject({
      workspaceId: mine,
      shard: 's2',
      actor: { id: 'sp_1', type: 'service_principal' },
    })
    expect(ended(token(machine))).toBeUndefined()
    expect(ended({})).toBeUndefined()
    expect(denialOf(refusal('revoked_credential', { resolved: knownIn([mine], mine) }))).toMatchObject({
      workspaceId: mine,
    })
    expect(denialOf(refusal('revoked_credential', { resolved: knownIn([mine, second]) }))).toBeUndefined()
  })
})

const denial = denialOf(refusal('workspace_forbidden', {}, { 'x-workspace-key': foreign })) as Denial // noted, as above
const at = Date.UTC(2026, 0, 5)

describe('the event of a denial', () => {
  it('says what an audit event says', () => {
    const event = denialEvent(denial, at, { edge: 'e', number: 1 })
    expect(event).toMatchObject({ kind: 'AUDIT_RECORDED', workspace_id: mine, occurred_at: '2026-01-05T00:00:00.000Z' })
    expect(auditRecorded.data.parse(event.data)).toEqual({
      action: 'request.denied',
      actor: denial.actor,
      targets: [
        { type: 'endpoint', id: 'system.getWorkspace' },
        { type: 'workspace', id: foreign },
      ],
      context: { ip: '203.0.113.9', user_agent: null, request_id: 'req-of-this-one' },
      outcome: 'denied',
      changes: { code: 'workspace_forbidden' },
    })
    expect(denialEvent(denial, at, { edge: 'e', number: 1 }, 12).data.changes).toMatchObject({ further_denials: 12 })
  })

  it('is named by what it says: the same each time, and another for each denial', () => {
    const idOf = (over: Partial<Denial> = {}, number = 1, edge = 'e', time = at) =>
      denialEvent({ ...denial, ...over }, time, { edge, number }).id
    expect(idOf()).toBe(idOf())
    const others = [idOf({ code: 'missing_scope' }), idOf({ requestId: 'req-other' }), idOf({ endpointId: 'x.y' })]
    // the request id is the caller's to choose
    const all = [idOf(), ...others, idOf({}, 2), idOf({}, 1, 'f'), idOf({}, 1, 'e', at + 1)]
    expect(new Set(all).size).toBe(all.length)
    for (const name of all) expect(id('evt').safeParse(name).success).toBe(true)
    expect(idOf({}, 1, 'e', at + 1) > idOf({}, 9)).toBe(true)
  })
})

describe('many denials of one credential', () => {
  it('are told of one by one up to so many a minute, the rest by their number once it is over', () => {
    let now = at
    const gate = createDenialThrottle(() => now)
    const passed = Array.from({ length: maxDenialsPerWindow + 7 }, () => gate.allows(denial)).filter(Boolean)
    expect(passed).toHaveLength(maxDenialsPerWindow)
    expect(gate.allows({ ...denial, credentialId: 'another' })).toBe(true)
    expect(gate.takeWithheld()).toEqual([])
    now += 60_000
    expect(gate.takeWithheld()).toEqual([{ denial, count: 7 }])
    expect(gate.takeWithheld()).toEqual([])
    expect(gate.allows(denial)).toBe(true)
  })

  it('are told of at the end, and when others push them out', () => {
    const gate = createDenialThrottle(() => at, 1)
    for (let n = 0; n < maxDenialsPerWindow + 2; n += 1) gate.allows(denial)
    expect(gate.takeWithheld()).toEqual([])
    gate.allows({ ...denial, credentialId: 'another' })
    expect(gate.takeWithheld()).toEqual([{ denial, count: 2 }])
    for (let n = 0; n < maxDenialsPerWindow + 1; n += 1) gate.allows(denial)
    expect(gate.takeWithheld(true)).toEqual([{ denial, count: 1 }])
  })
})
