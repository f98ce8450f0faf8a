import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { builtInRoles, grantScopes, isScope, type Scope, scopes } from '../src/index.ts'

describe('the scopes', () => {
  it('are those of the public contract', () => {
    expect(scopes.join(' ')).toBe(
      [
        'workspace:read workspace:write data:read data:write integrations:read integrations:write agents:read',
        'agents:write agents:run agents:gate ai:chat webhooks:read webhooks:write audit:read audit:export notifications:read',
        'notifications:write billing:read billing:write solutions:read solutions:write solutions:run mcp:use auth:keys',
        'auth:provision auth:read auth:admin',
      ].join(' '),
    )
  })

  it('have no wildcards', () => {
    for (const word of ['*', 'data:*', 'data', '', 'DATA:READ', 'toString']) expect(isScope(word)).toBe(false)
  })
})

describe('the built-in roles', () => {
  const reads = scopes.filter((scope) => scope.endsWith(':read'))
  const sorted = (list: readonly Scope[]) => [...list].sort()

  it('give owner every scope, and admin all but billing:write', () => {
    expect(builtInRoles.owner).toEqual([...scopes])
    expect(builtInRoles.admin).toEqual(scopes.filter((scope) => scope !== 'billing:write'))
  })

  it('give member all read and run scopes and some write scopes, and viewer the read scopes', () => {
    const more: Scope[] = [
      'agents:run',
      'solutions:run',
      'data:write',
      'agents:write',
      'ai:chat',
      'mcp:use',
      'auth:keys',
    ]
    expect(sorted(builtInRoles.member)).toEqual(sorted([...reads, ...more]))
    expect(sorted(builtInRoles.viewer)).toEqual(sorted(reads))
  })

  it('list each scope once', () => {
    for (const role of Object.values(builtInRoles)) expect(new Set(role).size).toBe(role.length)
  })
})

describe('grantScopes', () => {
  const someScopes = fc.subarray([...scopes])
  const spaces = fc.constantFrom(' ', '  ', '   ')
  const unknownScope = fc.string({ minLength: 1 }).filter((word) => !/\s/.test(word) && !isScope(word))

  it('grants the requested scopes that are allowed, in the order of the catalogue; null if there is none', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray([...scopes]), someScopes, spaces, (requested, allowed, space) => {
        const granted = grantScopes(requested.join(space), allowed)
        const both = scopes.filter((scope) => requested.includes(scope) && allowed.includes(scope))
        expect(granted).toEqual(both.length > 0 ? both : null)
      }),
    )
  })

  it('grants all allowed scopes when none is requested', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray([...scopes]), (allowed) => {
        const inOrder = scopes.filter((scope) => allowed.includes(scope))
        expect(grantScopes(undefined, allowed)).toEqual(allowed.length > 0 ? inOrder : null)
      }),
    )
  })

  it('grants a scope once when it is requested twice', () => {
    expect(grantScopes('data:read data:read', [...scopes])).toEqual(['data:read'])
  })

  it('grants nothing when a requested word is not a scope', () => {
    fc.assert(
      fc.property(someScopes, unknownScope, fc.nat(), (requested, word, at) => {
        const words: string[] = [...requested]
        words.splice(at % (words.length + 1), 0, word)
        expect(grantScopes(words.join(' '), [...scopes])).toBeNull()
      }),
    )
  })

  it('grants nothing when the request is empty', () => {
    for (const requested of ['', ' ']) expect(grantScopes(requested, [...scopes])).toBeNull()
  })

  it('never grants more than was granted before', () => {
    fc.assert(
      fc.property(someScopes, someScopes, someScopes, (first, second, allowed) => {
        const granted = grantScopes(first.join(' '), allowed) ?? []
        const again = grantScopes(second.join(' '), granted) ?? []
        expect(granted).toEqual(expect.arrayContaining(again))
      }),
    )
  })
})
