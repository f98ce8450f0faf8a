import { describe, expect, it } from '@jest/globals'
import { billingUsage, type EndpointDefinition, type Grant, Problem, systemUsage, webhooks } from '@wp/contracts'
import { enforceCallLimit } from '../../src/limit/enforce-rate-limits.ts'

const now = Date.parse('2026-03-15T12:00:00Z')

const grantUntil = (until: string | undefined): Grant => ({
  workspace_id: 'ws_01h455vb4pex5vsknk084sn02q',
  shard: 'one',
  location: 'TST',
  scopes: [],
  limits: { workspace_per_minute: 100, ...(until === undefined ? {} : { calls_exhausted_until: until }) },
})

function codeOf(definition: EndpointDefinition, grant: Grant | undefined): string {
  try {
    enforceCallLimit(definition, grant, now)
    return 'admitted'
  } catch (error) {
    return error instanceof Problem ? error.code : 'another error'
  }
}

describe('the limit of calls', () => {
  const later = grantUntil('2026-04-01T00:00:00.000Z')
  const cases: [string, EndpointDefinition, Grant | undefined, string][] = [
    ['a workspace with calls left', webhooks.listSubscriptions, grantUntil(undefined), 'admitted'],
    ['a request in no workspace', webhooks.listSubscriptions, undefined, 'admitted'],
    ['an exhausted workspace', webhooks.listSubscriptions, later, 'quota_exceeded'],
    ['a period that has ended', webhooks.listSubscriptions, grantUntil('2026-03-15T12:00:00.000Z'), 'admitted'],
    ['billing of an exhausted workspace', billingUsage.getUsage, later, 'admitted'],
    ['system of an exhausted workspace', systemUsage.usage, later, 'admitted'],
  ]
  it.each(cases)('applies to %s', (_, definition, grant, expected) => {
    expect(codeOf(definition, grant)).toBe(expected)
  })
})
