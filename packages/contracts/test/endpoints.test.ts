import { describe, expect, it } from '@jest/globals'
import {
  acceptedCredentials,
  callersOf,
  delegations,
  type EndpointDefinition,
  endpoints,
  needsWorkspace,
  publicEndpoints,
  requiresStepUp,
  scopes,
  serviceNames,
  signerNames,
  sites,
  surfaces,
} from '../src/index.ts'
import { allEndpoints, idsOf, pathParameters, publicDefinitions, violations } from './fixture/endpoints.ts'

const internal = endpoints.filter(({ definition }) => definition.audience === 'internal')

describe('the id of an endpoint', () => {
  it('is unique and consists of the surface and the key', () => {
    const expected = Object.entries(surfaces).flatMap(([surface, definitions]) =>
      Object.keys(definitions).map((key) => `${surface}.${key}`),
    )
    expect(idsOf(allEndpoints)).toEqual(expected)
    expect(new Set(expected).size).toBe(expected.length)
  })
})

describe('the services', () => {
  it('serve at least one endpoint or site each', () => {
    const serving = new Set([...endpoints, ...sites].map(({ service }) => service))
    expect([...serving].sort()).toEqual([...serviceNames].sort())
  })
})

describe('the path of an endpoint', () => {
  it('is unique for its method, whatever the names of its parameters', () => {
    const routes = allEndpoints.map(({ method, path }) => `${method} ${path.replace(/\{\w+\}/g, '{}')}`)
    expect(routes.filter((route, index) => routes.indexOf(route) !== index)).toEqual([])
  })

  it('has exactly the declared parameters', () => {
    const isDeclared = ({ path, params }: EndpointDefinition) =>
      JSON.stringify(pathParameters(path).sort()) === JSON.stringify(Object.keys(params?.shape ?? {}).sort())
    expect(violations(allEndpoints, isDeclared)).toEqual([])
  })

  it('begins with the prefix of the surface, or is well-known, when the endpoint is public', () => {
    const wrong = publicEndpoints.filter(
      ({ surface, definition: { path } }) =>
        !path.startsWith(surface === 'mcp' ? '/api/v1/mcp/' : `/v1/${surface}/`) && !path.startsWith('/.well-known/'),
    )
    expect(wrong.map(({ definition }) => definition.id)).toEqual([])
  })

  it('begins with /internal/<service> when the endpoint is internal', () => {
    for (const { service, definition } of internal)
      expect(definition.path).toMatch(new RegExp(`^/internal/${service}/`))
    expect(internal.length).toBeGreaterThan(0)
  })
})

describe('the callers of an endpoint', () => {
  it('are at least one other service when the endpoint is internal', () => {
    for (const { service, definition } of internal) {
      expect(definition.callers?.length).toBeGreaterThan(0)
      expect(definition.callers).not.toContain(service)
    }
  })

  it('are signers', () => {
    const areSigners = ({ callers = [] }: EndpointDefinition) => callers.every((caller) => signerNames.includes(caller))
    expect(violations(allEndpoints, areSigners)).toEqual([])
  })

  it('may be services on their own behalf only when the endpoint is internal', () => {
    const systemCalls = allEndpoints.filter(
      ({ allowsSystemCalls, delegations: uses }) => allowsSystemCalls === true || uses !== undefined,
    )
    expect(violations(systemCalls, ({ audience }) => audience === 'internal')).toEqual([])
  })

  it('are either those with its scope or services on their own behalf when the endpoint is internal', () => {
    const definitions = internal.map(({ definition }) => definition)
    const hasOneRule = ({ scope, allowsSystemCalls }: EndpointDefinition) =>
      (scope !== undefined) !== (allowsSystemCalls === true)
    expect(violations(definitions, hasOneRule)).toEqual([])
  })

  it('include the service that makes a delegated use, and the endpoint declares the scope of the other uses', () => {
    const delegable = internal.flatMap(({ definition }) => (definition.delegations === undefined ? [] : [definition]))
    const isReachable = ({ scope, callers = [], delegations: uses = [] }: EndpointDefinition) =>
      scope !== undefined && uses.length > 0 && uses.every((use) => callers.includes(delegations[use].service))
    expect(violations(delegable, isReachable)).toEqual([])
    const used = new Set(delegable.flatMap(({ delegations: uses = [] }) => uses))
    expect([...used].sort()).toEqual(Object.keys(delegations).sort())
  })
})

describe('the scope of an endpoint', () => {
  it('is in the catalogue', () => {
    expect(violations(allEndpoints, ({ scope }) => scope === undefined || scopes.includes(scope))).toEqual([])
  })

  it('is not a read scope when the endpoint changes something', () => {
    const changes = allEndpoints.filter(({ method }) => method !== 'GET')
    expect(violations(changes, ({ scope }) => scope?.endsWith(':read') !== true)).toEqual([
      // named filters belong to the caller
      'auth.replaceSavedViews',
      // a search reads; its query is in the body
      'data.searchRecords',
      // a feed is a position in what its subscriber reads
      'data.openRowFeed',
      'data.readRowFeed',
      'data.closeRowFeed',
      // a use of an integration is registered by those who may use it
      'integrations.registerUse',
      // these change only what belongs to the caller, or check another scope
      'notifications.readNotification',
      'notifications.readAllNotifications',
      'notifications.updateSettings',
    ])
  })

  it('is declared, or tokens restricted by scope are rejected, except by the listed endpoints', () => {
    const accepting = allEndpoints.filter(({ acceptsDownscopedTokens }) => acceptsDownscopedTokens === true)
    expect(idsOf(accepting)).toEqual(['auth.me', 'auth.logout'])
  })

  it('is declared when the endpoint needs a workspace', () => {
    expect(violations(allEndpoints.filter(needsWorkspace), ({ scope }) => scope !== undefined)).toEqual([])
  })
})

describe('the credentials of an endpoint', () => {
  it('are required, except by the listed endpoints', () => {
    expect(idsOf(allEndpoints.filter(({ credentials }) => credentials === 'none'))).toEqual([
      'auth.exchangeToken',
      'auth.keySet',
      'auth.serverMetadata',
      'auth.apiResourceMetadata',
      'auth.mcpResourceMetadata',
      'auth.revokeToken',
      'auth.startPasskeyLogin',
      'auth.startPasskeyRecovery',
      'auth.showPasskeyRecovery',
      'auth.cancelPasskeyRecoveryByLink',
      'auth.showSignInAlert',
      'auth.endReportedSession',
      'auth.login',
      'auth.verify',
      'auth.showLoginLink',
      'auth.openLoginLink',
      'auth.loginWithSso',
      'auth.ssoCallback',
      'auth.samlCallback',
      'auth.samlMetadata',
      'auth.loginWithGoogle',
      'auth.googleCallback',
      'auth.loginWithGithub',
      'auth.githubCallback',
      'auth.registerClient',
      'auth.authorize',
      'auth.decideAuthorization',
      'auth.startAuthorizationLogin',
      'auth.verifyAuthorizationLogin',
      'auth.acceptInvitationPage',
      'auth.acceptInvitation',
      'auth.confirmInvitation',
      'system.health',
      'data.health',
      'webhooks.receive',
      'audit.keySet',
      'agents.health',
      'mcp.health',
      'billing.receiveStripeEvent',
      'notifications.showUnsubscribe',
      'notifications.unsubscribe',
    ])
  })

  it('must be a bearer token for API keys, principals, sessions, passkeys, webhook secrets and the deletion of a workspace', () => {
    const bearerOnly = publicDefinitions.filter((definition) => acceptedCredentials(definition).join() === 'bearer')
    const sensitive =
      /^\/v1\/(auth\/(api-key|scim-tokens|admin\/service-principals|sessions|logout|reauthentication|passkeys|passkey-settings|invitations(?!\/accept))|webhooks\/webhooks\/.+(\/|-)secret$)/
    const deletion = ['system.deleteWorkspace', 'system.cancelWorkspaceDeletion']
    const isSensitive = ({ id, path }: EndpointDefinition) => sensitive.test(path) || deletion.includes(id)
    expect(idsOf(bearerOnly)).toEqual(idsOf(publicDefinitions.filter(isSensitive)))
  })

  it('require a recent authentication for secrets, members, roles, passkeys and deleting a workspace, and are then no tools', () => {
    const stepUp = publicDefinitions.filter(requiresStepUp)
    expect(idsOf(stepUp).sort()).toEqual([
      'auth.createApiKey',
      'auth.createPasskey',
      'auth.createRole',
      'auth.createScimToken',
      'auth.createServicePrincipal',
      'auth.createSsoDomain',
      'auth.deletePasskey',
      'auth.deleteRole',
      'auth.deleteRoleNamed',
      'auth.deleteScimToken',
      'auth.deleteServicePrincipal',
      'auth.deleteSsoConnection',
      'auth.deleteSsoDomain',
      'auth.inviteUser',
      'auth.removeUser',
      'auth.removeUserNamed',
      'auth.rotateApiKey',
      'auth.rotateServicePrincipalSecret',
      'auth.startPasskeyRegistration',
      'auth.testSsoConnection',
      'auth.updatePasskeySettings',
      'auth.updateRole',
      'auth.updateRoleNamed',
      'auth.updateServicePrincipal',
      'auth.updateSignInPolicy',
      'auth.updateSsoConnection',
      'auth.updateUser',
      'auth.updateUserNamed',
      'auth.verifySsoDomain',
      'system.deleteWorkspace',
      'webhooks.createPortalLink',
      'webhooks.createSubscription',
      'webhooks.getSecret',
      'webhooks.rotateSecret',
    ])
    // A service that calls an endpoint for its caller does not check the age of the authentication.
    const callable = stepUp.filter((definition) => callersOf(definition).length > 0)
    expect(idsOf(callable)).toEqual([])
  })

  it('need no workspace for the endpoints about the caller and their workspaces', () => {
    const withoutWorkspace = publicDefinitions.filter((one) => one.credentials !== 'none' && !needsWorkspace(one))
    expect(idsOf(withoutWorkspace)).toEqual([
      'auth.me',
      'auth.updateMe',
      'auth.logout',
      'auth.listSessions',
      'auth.endSession',
      'auth.startReauthentication',
      'auth.verifyReauthentication',
      'auth.listPasskeys',
      'auth.startPasskeyRegistration',
      'auth.createPasskey',
      'auth.updatePasskey',
      'auth.deletePasskey',
      'auth.startPasskeyReauthentication',
      'auth.getPasskeySettings',
      'auth.updatePasskeySettings',
      'auth.cancelPasskeyRecovery',
      'auth.listInvitations',
      'auth.acceptInvitationById',
      'auth.declineInvitation',
      'system.listWorkspaces',
      'system.createWorkspace',
      'system.getWorkspaceById',
      'system.getWorkspaceDeletion',
      'system.cancelWorkspaceDeletion',
    ])
  })
})
