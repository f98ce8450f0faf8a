import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { builtInRoles, grantScopes, isScope, type Scope, scopes } from '../src/index.ts'

describe('the scopes', () => {
  it('are these', () => {
    expect(scopes.join(' ')).toBe(
      [
        'workspace:read workspace:write data:read data:write integrations:read integrations:write agents:read',
        'agents:write agents:run ai:chat webhooks:read webhooks:write audit:read audit:export notifications:read',
        'notifications:write billing:read billing:write solutions:read solutions:run mcp:use auth:keys auth:read',
        'auth:admin',
      ].join(' '),
    )
  })

  it('are no wildcards', () => {
    for (const word of ['*', 'data:*', 'data', '', 'DATA:READ', 'toString']) expect(isScope(word)).toBe(false)
  })
})

describe('the roles every workspace has', () => {
  const reads = scopes.filter((scope) => scope.endsWith(':read'))
  const sorted = (list: readonly Scope[]) => [...list].sort()

  it('let an owner do everything, an admin all but pay', () => {
    expect(builtInRoles.owner).toEqual([...scopes])
    expect(builtInRoles.admin).toEqual(scopes.filter((scope) => scope !== 'billing:write'))
  })

  it('let a member read, run and make, a viewer read', () => {
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

  it('name no scope twice', () => {
    for (const role of Object.values(builtInRoles)) expect(new Set(role).size).toBe(role.length)
  })
})

describe('what is granted', () => {
  const someScopes = fc.subarray([...scopes])
  const spaces = fc.constantFrom(' ', '  ', '   ')
  const stranger = fc.string({ minLength: 1 }).filter((word) => !/\s/.test(word) && !isScope(word))

  it('is what was asked and is allowed, in the order of the catalogue; nothing is invalid', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray([...scopes]), someScopes, spaces, (asked, allowed, space) => {
        const granted = grantScopes(asked.join(space), allowed)
        const both = scopes.filter((scope) => asked.includes(scope) && allowed.includes(scope))
        expect(granted).toEqual(both.length > 0 ? both : null)
      }),
    )
  })

  it('is all that is allowed when nothing is said', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray([...scopes]), (allowed) => {
        const inOrder = scopes.filter((scope) => allowed.includes(scope))
        expect(grantScopes(undefined, allowed)).toEqual(allowed.length > 0 ? inOrder : null)
      }),
    )
  })

  it('counts what is asked twice once', () => {
    expect(grantScopes('data:read data:read', [...scopes])).toEqual(['data:read'])
  })

  it('is nothing at all with a word that is no scope', () => {
    fc.assert(
      fc.property(someScopes, stranger, fc.nat(), (asked, word, at) => {
        const words: string[] = [...asked]
        words.splice(at % (words.length + 1), 0, word)
        expect(grantScopes(words.join(' '), [...scopes])).toBeNull()
      }),
    )
  })

  it('is nothing for an empty wish', () => {
    for (const asked of ['', ' ']) expect(grantScopes(asked, [...scopes])).toBeNull()
  })

  it('never grows with what is asked again of what was granted', () => {
    fc.assert(
      fc.property(someScopes, someScopes, someScopes, (first, second, allowed) => {
        const granted = grantScopes(first.join(' '), allowed) ?? []
        const again = grantScopes(second.join(' '), granted) ?? []
        expect(granted).toEqual(expect.arrayContaining(again))
      }),
    )
  })
})
