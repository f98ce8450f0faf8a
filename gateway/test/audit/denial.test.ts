import type { IncomingMessage } from 'node:http'
import { describe, expect, it } from '@jest/globals'
import { auditRecorded, type ErrorCode, type Identity, problem, systemWorkspaces } from '@wp/contracts'
import { type Denial, type DenialContext, denialOf } from '../../src/audit/denial.ts'
import { denialEvent } from '../../src/audit/denial-recorder.ts'
import { createDenialThrottle, maxDenialsPerMinute, maxPlatformDenialsPerDay } from '../../src/audit/denial-throttle.ts'

const workspaceId = (digit: string) => `ws_01h455vb4pex5vsknk084sn02${digit}`
const [own, second, foreign] = [workspaceId('1'), workspaceId('2'), workspaceId('3')]

const grantIn = (workspaceId: string) => ({
  workspace_id: workspaceId,
  shard: 's1',
  location: 'TST',
  scopes: [],
  limits: { workspace_per_minute: 1 },
})

/** Returns a resolved credential with grants in some workspaces, bound to one of them or to none. */
const memberOf = (grants: string[], boundId: string | null = null, tokenWorkspaceId?: string) => {
  const identity: Identity = {
    principal: { id: 'usr_01h455vb4pex5vsknk084sn02q', type: 'user' },
    credential_id: 'ses_01h455vb4pex5vsknk084sn02q',
    credential_type: 'bearer',
    workspace_id: boundId,
    grants: grants.map(grantIn),
    limits: { credential_per_minute: 1 },
    expires_at: null,
    tokens_valid_after: null,
  }
  const token = {
    tokenScopes: undefined,
    tokenScope: undefined,
    tokenWorkspaceId,
    tokenResource: undefined,
    tokenId: undefined,
    authTime: undefined,
    maxAuthAge: undefined,
  }
  return { identity, ...token, expiresAt: Number.POSITIVE_INFINITY }
}

const requestWith = (headers: Record<string, string>) => ({ headers }) as unknown as IncomingMessage // only the headers are read

function denialContext(
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
    resolved: memberOf([own]),
    workspaceId: undefined,
    ...more,
  }
}

const workspaceOf = (context: DenialContext) => denialOf(context)?.workspaceId

describe('denialOf', () => {
  it('describes caller, endpoint and client when a known caller is denied', () => {
    const error = problem('missing_scope', { extra: { required_scope: 'workspace:read' } })
    expect(denialOf(denialContext('missing_scope', { error, workspaceId: own }, { 'user-agent': 'curl/8' }))).toEqual({
      credentialId: 'ses_01h455vb4pex5vsknk084sn02q',
      workspaceId: own,
      shard: 's1',
      actor: { id: 'usr_01h455vb4pex5vsknk084sn02q', type: 'user' },
      endpointId: 'system.getWorkspace',
      requestedWorkspaceId: undefined,
      code: 'missing_scope',
      requiredScope: 'workspace:read',
      ip: '203.0.113.9',
      userAgent: 'curl/8',
      requestId: 'req-of-this-one',
    })
  })

  const denialCodes = ['missing_scope', 'workspace_forbidden', 'workspace_mismatch', 'bearer_required'] as const
  it.each([...denialCodes, 'user_required', 'reauthentication_required'] as const)(
    'returns a denial for %s when the caller is known',
    (code) => {
      expect(denialOf(denialContext(code))).toMatchObject({ code })
      expect(denialOf(denialContext(code, { resolved: undefined }))).toBeUndefined()
    },
  )

  it.each(['rate_limited', 'workspace_required', 'missing_credential', 'invalid_credential', 'not_found'] as const)(
    'returns nothing for %s',
    (code) => {
      expect(denialOf(denialContext(code))).toBeUndefined()
      expect(denialOf(denialContext(code, { resolved: undefined }))).toBeUndefined()
    },
  )

  it('returns nothing for an error that is not a problem', () => {
    expect(denialOf(denialContext('missing_scope', { error: new Error('broken') }))).toBeUndefined()
  })

  it('names the workspace of the request, or else of the caller, but never one that was only requested', () => {
    const requested = { 'x-workspace-key': foreign }
    const forbidden = (known: DenialContext['resolved']) =>
      denialContext('workspace_forbidden', { resolved: known }, requested)
    expect(
      workspaceOf(denialContext('missing_scope', { resolved: memberOf([own, second]), workspaceId: second })),
    ).toBe(second)
    expect(workspaceOf(denialContext('workspace_mismatch', { resolved: memberOf([own], own) }, requested))).toBe(own)
    expect(workspaceOf(forbidden(memberOf([own])))).toBe(own)
    expect(workspaceOf(forbidden(memberOf([own, second])))).toBe('')
    expect(workspaceOf(forbidden(memberOf([own, second], null, second)))).toBe(second)
    expect(workspaceOf(forbidden(memberOf([])))).toBe('')
    // a token of a workspace the user has left
    expect(
      workspaceOf(denialContext('workspace_forbidden', { resolved: memberOf([own, second], null, foreign) })),
    ).toBe('')
    expect(denialOf(forbidden(memberOf([own])))?.requestedWorkspaceId).toBe(foreign)
    expect(
      denialOf(denialContext('workspace_forbidden', {}, { 'x-workspace-key': 'nonsense' }))?.requestedWorkspaceId,
    ).toBeUndefined()
  })

  it('reads the caller from a revoked credential that is bound to a workspace', () => {
    const ended = (headers: Record<string, string>) =>
      denialOf(denialContext('revoked_credential', { resolved: undefined }, headers))
    const key = `key_s1.TST.${own}.20f4851f-f293-4065-8c64-546c2509893e`
    expect(ended({ 'x-api-key': key })).toMatchObject({
      workspaceId: own,
      actor: { id: '…893e', type: 'api_key' },
      code: 'revoked_credential',
    })
    expect(JSON.stringify(ended({ 'x-api-key': key }))).not.toContain('20f4851f')
    const token = (claims: object) => {
      const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
      return { authorization: `Bearer ${part({ alg: 'ES256' })}.${part(claims)}.c2ln` }
    }
    const machine = { sub: 'sp_1', principal_type: 'service_principal' }
    expect(ended(token({ ...machine, workspace_id: own, shard: 's2' }))).toMatchObject({
      workspaceId: own,
      shard: 's2',
      actor: { id: 'sp_1', type: 'service_principal' },
    })
    expect(ended(token(machine))).toBeUndefined()
    expect(ended({})).toBeUndefined()
    expect(denialOf(denialContext('revoked_credential', { resolved: memberOf([own], own) }))).toMatchObject({
      workspaceId: own,
    })
    expect(denialOf(denialContext('revoked_credential', { resolved: memberOf([own, second]) }))).toBeUndefined()
  })
})

const denial = denialOf(denialContext('workspace_forbidden', {}, { 'x-workspace-key': foreign })) as Denial // returned, as tested above
const occurredAt = Date.UTC(2026, 0, 5)
const eventId = 'evt_01h455vb4pex5vsknk084sn02q'

describe('denialEvent', () => {
  it('returns a valid audit event', () => {
    const event = denialEvent(denial, { id: eventId, occurredAt })
    expect(event).toMatchObject({
      id: eventId,
      kind: 'AUDIT_RECORDED',
      workspace_id: own,
      occurred_at: '2026-01-05T00:00:00.000Z',
    })
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
  })

  it('states how many further denials were withheld', () => {
    const event = denialEvent(denial, { id: eventId, occurredAt, withheld: { count: 12, scope: 'network' } })
    expect(event.data.changes).toMatchObject({ further_denials: 12, counted_by: 'network' })
  })
})

describe('the denial throttle', () => {
  it('allows a limited number of denials per credential and minute, and counts the rest', () => {
    let now = occurredAt
    const throttle = createDenialThrottle(() => now)
    const allowed = Array.from({ length: maxDenialsPerMinute.credential + 7 }, () => throttle.allows(denial)).filter(
      Boolean,
    )
    expect(allowed).toHaveLength(maxDenialsPerMinute.credential)
    expect(throttle.allows({ ...denial, credentialId: 'another' })).toBe(true)
    expect(throttle.takeWithheld()).toEqual([])
    now += 60_000
    expect(throttle.takeWithheld()).toEqual([{ denial, count: 7, scope: 'credential' }])
    expect(throttle.takeWithheld()).toEqual([])
    expect(throttle.allows(denial)).toBe(true)
  })

  it('returns the counts early when a credential is evicted or all are requested', () => {
    const throttle = createDenialThrottle(() => occurredAt, 1)
    for (let count = 0; count < maxDenialsPerMinute.credential + 2; count += 1) throttle.allows(denial)
    expect(throttle.takeWithheld()).toEqual([])
    throttle.allows({ ...denial, credentialId: 'another' })
    expect(throttle.takeWithheld()).toEqual([{ denial, count: 2, scope: 'credential' }])
    for (let count = 0; count < maxDenialsPerMinute.credential + 1; count += 1) throttle.allows(denial)
    expect(throttle.takeWithheld(true)).toEqual([{ denial, count: 1, scope: 'credential' }])
  })

  /** Attempts denials of different credentials, and returns how many are recorded. */
  const recordedOf = (throttle: ReturnType<typeof createDenialThrottle>, denials: Iterable<Partial<Denial>>) =>
    [...denials].filter((more, index) => throttle.allows({ ...denial, credentialId: `ses_${index}`, ...more })).length
  const platform = { workspaceId: '', shard: '' }
  const distinctNetworks = (count: number, more: Partial<Denial>) =>
    Array.from({ length: count }, (_, index) => ({
      ...more,
      ip: `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`,
    }))

  it('limits denials without a workspace per client network, whatever credentials they have', () => {
    let now = occurredAt
    const throttle = createDenialThrottle(() => now)
    expect(recordedOf(throttle, Array(50).fill({ ...platform, ip: '2001:db8::1' }))).toBe(maxDenialsPerMinute.network)
    expect(recordedOf(throttle, [{ ...platform, credentialId: 'another', ip: '2001:db8::2' }])).toBe(0)
    expect(recordedOf(throttle, [{ ...platform, credentialId: 'another', ip: '2001:db8:0:1::1' }])).toBe(1)
    now += 60_000
    expect(throttle.takeWithheld()).toMatchObject([{ count: 21, scope: 'network' }])
  })

  it('limits denials without a workspace in all, and still records those of workspaces', () => {
    let now = occurredAt
    const throttle = createDenialThrottle(() => now)
    expect(recordedOf(throttle, distinctNetworks(5_000, platform))).toBe(maxDenialsPerMinute.platform)
    expect(throttle.allows(denial)).toBe(true)
    now += 60_000
    expect(throttle.takeWithheld()).toMatchObject([{ count: 5_000 - maxDenialsPerMinute.platform, scope: 'platform' }])
  })

  it('limits denials without a workspace per day: a flood of a day adds a bounded number of records', () => {
    let now = occurredAt
    const throttle = createDenialThrottle(() => now)
    let records = 0
    for (let minute = 0; minute < 24 * 60; minute += 1) {
      records += recordedOf(throttle, distinctNetworks(150, platform))
      now += 60_000
      records += throttle.takeWithheld().length
    }
    expect(records).toBeLessThanOrEqual(maxPlatformDenialsPerDay + 24 * 60)
    expect(records).toBeGreaterThanOrEqual(maxPlatformDenialsPerDay)
    expect(recordedOf(throttle, [platform])).toBe(1) // a new day
  })

  it('limits the denials of a workspace with many credentials', () => {
    const throttle = createDenialThrottle(() => occurredAt)
    expect(recordedOf(throttle, Array(1_000).fill({}))).toBe(maxDenialsPerMinute.workspace)
    expect(throttle.allows({ ...denial, workspaceId: second })).toBe(true)
  })
})
