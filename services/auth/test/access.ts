import { randomUUID } from 'node:crypto'
import type { AccessContext, AccessFixture, AccessFixtures, EdgeRequestOptions } from '@wp/testkit'
import { openContext } from '../src/index.ts'
import { generateLinkToken, generateMailCode } from '../src/sign-in/login-secrets.ts'
import { generateLoginId, insertLogin } from '../src/store/sessions/logins.ts'
import { anonymousSubject } from './fixture/auth.ts'
import { SoftwareAuthenticator } from './fixture/authenticator.ts'

const newAddress = () => `${randomUUID()}@example.test`

const createUser = (context: AccessContext): Promise<string> =>
  context.createId('/v1/auth/admin/users', { email: newAddress(), role: 'member' }, 'user_id')

const createRole = (context: AccessContext): Promise<string> =>
  context.createId('/v1/auth/admin/roles', { name: context.uniqueName(), scopes: ['data:read'] }, 'role_id')

/** Starts another session of the owner. */
async function createSession({ fleet, owner }: AccessContext): Promise<string> {
  await fleet.userToken(fleet.owner.ownerId)
  const { body } = await fleet.request('GET', '/v1/auth/sessions?limit=1', { as: owner.user })
  return body.data[0].id
}

const fixture = (params: AccessFixture['params'], request?: EdgeRequestOptions): AccessFixture => ({
  ...(params === undefined ? {} : { params }),
  ...(request === undefined ? {} : { request }),
})
const withKey = (request?: EdgeRequestOptions): AccessFixture =>
  fixture(
    async (context) => ({
      key_id: await context.createId('/v1/auth/api-key', { name: context.uniqueName() }, 'key_id'),
    }),
    request,
  )
const withPrincipal = (request?: EdgeRequestOptions): AccessFixture =>
  fixture(async (context) => {
    const body = { name: context.uniqueName(), scopes: ['data:read'] }
    return { client_id: await context.createId('/v1/auth/admin/service-principals', body, 'client_id') }
  }, request)
const withUser = (request?: EdgeRequestOptions): AccessFixture =>
  fixture(async (context) => ({ user_id: await createUser(context) }), request)
const withRole = (request?: EdgeRequestOptions): AccessFixture =>
  fixture(async (context) => ({ role_id: await createRole(context) }), request)

const apiKeyFixtures: AccessFixtures = {
  'auth.createApiKey': { request: { body: { name: 'created' } } },
  'auth.listApiKeys': {},
  'auth.getApiKey': withKey(),
  'auth.updateApiKey': withKey({ body: { name: 'renamed' } }),
  'auth.deleteApiKey': withKey(),
  'auth.rotateApiKey': withKey({ body: {} }),
}

const servicePrincipalFixtures: AccessFixtures = {
  'auth.createServicePrincipal': { request: { body: { name: 'created', scopes: ['data:read'] } } },
  'auth.listServicePrincipals': {},
  'auth.getServicePrincipal': withPrincipal(),
  'auth.updateServicePrincipal': withPrincipal({ body: { name: 'renamed' } }),
  'auth.deleteServicePrincipal': withPrincipal(),
  'auth.rotateServicePrincipalSecret': withPrincipal({ body: {} }),
}

const sessionFixtures: AccessFixtures = {
  'auth.me': {},
  'auth.updateMe': { request: { body: { name: 'Owner' } } },
  'auth.getSavedViews': { buildRequest: async () => ({ query: 'page=/audit' }) },
  'auth.replaceSavedViews': { request: { body: { page: '/audit', views: [{ name: 'Failures', search: {} }] } } },
  'auth.logout': {
    credential: ({ fleet }) => fleet.token(fleet.owner),
    withoutIdempotencyKey: 'the request revokes the credential that would repeat it',
  },
  'auth.listSessions': {},
  'auth.endSession': { params: async (context) => ({ id: await createSession(context) }) },
}

/** Creates a code for the re-authentication of a session, without its mail. */
async function createCode({ fleet, owner }: AccessContext): Promise<{ login_id: string; code: string }> {
  const { body } = await fleet.request('GET', '/v1/auth/sessions?limit=100', { as: owner.user })
  const { id: sessionId } = body.data.find(({ current }: { current: boolean }) => current)
  const context = await openContext(fleet.env('auth'))
  try {
    const loginId = generateLoginId()
    const code = generateMailCode(context.derivedKeys, loginId)
    const login = { loginId, email: 'owner@example.com', tokenHash: generateLinkToken().hash, codeHash: code.hash }
    const caller = { ...anonymousSubject(context.shard), requestId: 'access' }
    await context.database.transact(caller, (tx) =>
      insertLogin(tx.query, { ...login, redirectUri: null, codeChallenge: null, sessionId }, 10),
    )
    return { login_id: loginId, code: code.text }
  } finally {
    await context.close()
  }
}

const reauthenticationFixtures: AccessFixtures = {
  'auth.startReauthentication': {
    withoutIdempotencyKey:
      'there is no other request from which to tell a repetition apart; a test of its own sends one',
  },
  'auth.verifyReauthentication': {
    buildRequest: async (context) => ({ body: await createCode(context) }),
    withoutIdempotencyKey: 'a code works once, and a response with a token is not stored',
  },
}

/** Runs a statement in the database of auth. */
async function runStatement({ fleet }: AccessContext, text: string, values: unknown[]): Promise<void> {
  const context = await openContext(fleet.env('auth'))
  try {
    await context.database.worker.query(text, values)
  } finally {
    await context.close()
  }
}

/** Makes the sign-ins of the owner recent, and their passkeys few. */
async function renewOwner(context: AccessContext): Promise<void> {
  const { ownerId } = context.fleet.owner
  await runStatement(context, 'UPDATE sessions SET authenticated_at = now() WHERE user_id = $1', [ownerId])
  await runStatement(context, 'DELETE FROM passkeys WHERE user_id = $1', [ownerId])
}

/** Starts a registration of the owner, and returns the body that completes it. */
async function answerRegistration(context: AccessContext): Promise<{ credential: object }> {
  const { fleet, owner } = context
  await renewOwner(context)
  const { body } = await fleet.request('POST', '/v1/auth/passkeys/registration', { as: owner.user })
  return { credential: new SoftwareAuthenticator(fleet.baseUrl).create(body.data.options) }
}

async function createPasskey(context: AccessContext): Promise<{ passkey_id: string }> {
  const { fleet, owner } = context
  const request = { as: owner.user, body: await answerRegistration(context) }
  const { body } = await fleet.request('POST', '/v1/auth/passkeys', request)
  return { passkey_id: body.data.passkey_id }
}

/** Creates a user whose recovery is under way, and returns their token. */
async function createRecovery(context: AccessContext): Promise<string> {
  const { ownerId } = await context.fleet.seed(randomUUID())
  const text = `INSERT INTO passkey_settings (user_id, recovery_requested_at, recovery_available_at)
    VALUES ($1, now(), now() + interval '1 day')`
  await runStatement(context, text, [ownerId])
  return await context.fleet.userToken(ownerId)
}

const withoutRepetition = 'there is no other request from which to tell a repetition apart'

const passkeyFixtures: AccessFixtures = {
  'auth.listPasskeys': {},
  'auth.startPasskeyRegistration': {
    buildRequest: async (context) => {
      await renewOwner(context)
      return {}
    },
    withoutIdempotencyKey: withoutRepetition,
  },
  'auth.createPasskey': { buildRequest: async (context) => ({ body: await answerRegistration(context) }) },
  'auth.updatePasskey': { params: createPasskey, request: { body: { name: 'renamed' } } },
  'auth.deletePasskey': { params: createPasskey },
  'auth.startPasskeyReauthentication': {
    buildRequest: async (context) => {
      await createPasskey(context)
      return {}
    },
    withoutIdempotencyKey: withoutRepetition,
  },
  'auth.getPasskeySettings': {},
  'auth.updatePasskeySettings': {
    buildRequest: async (context) => {
      await renewOwner(context)
      return { body: { required: false } }
    },
    alternativeBody: {},
  },
  'auth.cancelPasskeyRecovery': { credential: createRecovery, withoutIdempotencyKey: withoutRepetition },
}

/** Creates the user whose invitations the requests answer. */
async function createInvitee({ fleet }: AccessContext): Promise<{ userId: string; email: string }> {
  const name = randomUUID()
  const { ownerId } = await fleet.seed(name)
  return { userId: ownerId, email: `${name}@example.com` }
}

/** Invites that user into another workspace. */
async function createInvitation(context: AccessContext): Promise<{ id: string }> {
  const { fleet } = context
  const as = await fleet.token(await fleet.seed(randomUUID()))
  const body = { email: (await context.createOnce(createInvitee)).email, role: 'viewer' }
  const { body: invited } = await fleet.request('POST', '/v1/auth/admin/users', { as, body })
  return { id: invited.data.invitation.id }
}

const withInvitation: AccessFixture = {
  params: createInvitation,
  credential: async (context) => await context.fleet.userToken((await context.createOnce(createInvitee)).userId),
}

const invitationFixtures: AccessFixtures = {
  'auth.listInvitations': {},
  'auth.acceptInvitationById': withInvitation,
  'auth.declineInvitation': withInvitation,
}

const userFixtures: AccessFixtures = {
  'auth.listUsers': {},
  'auth.inviteUser': { buildRequest: () => ({ body: { email: newAddress(), role: 'viewer' } }) },
  'auth.getUser': withUser(),
  'auth.updateUser': withUser({ body: { role: 'viewer' } }),
  'auth.removeUser': withUser(),
  'auth.updateUserNamed': {
    buildRequest: async (context) => ({ body: { user_id: await createUser(context), role: 'viewer' } }),
    foreignReference: async (context) => ({
      body: { user_id: await createUser(context), role: 'viewer' },
      pointer: '/user_id',
    }),
  },
  'auth.removeUserNamed': { buildRequest: async (context) => ({ query: `user_id=${await createUser(context)}` }) },
}

const roleFixtures: AccessFixtures = {
  'auth.listRoles': {},
  'auth.createRole': { buildRequest: (context) => ({ body: { name: context.uniqueName(), scopes: ['data:read'] } }) },
  'auth.getRole': withRole(),
  'auth.updateRole': withRole({ body: { description: 'changed' } }),
  'auth.deleteRole': withRole(),
  'auth.updateRoleNamed': {
    buildRequest: async (context) => ({ body: { role_id: await createRole(context), description: 'changed' } }),
    foreignReference: async (context) => ({
      body: { role_id: await createRole(context), description: 'changed' },
      pointer: '/role_id',
    }),
  },
  'auth.deleteRoleNamed': { buildRequest: async (context) => ({ query: `role_id=${await createRole(context)}` }) },
}

const withoutKey = 'responses of SCIM have a format of their own, which is not stored; a directory repeats by user name'

/** Creates a user or a group of the directory, and returns its id. */
async function createInDirectory({ fleet, owner }: AccessContext, path: string, body: object): Promise<string> {
  const created = await fleet.request('POST', `/v1/auth/scim/v2${path}`, { as: owner.principal, body })
  if (created.status !== 201) throw new Error(`${created.status} ${JSON.stringify(created.body)}`)
  return created.body.id
}
const withScimUser = (buildRequest?: () => EdgeRequestOptions): AccessFixture => ({
  params: async (context) => ({
    scim_user_id: await createInDirectory(context, '/Users', { userName: newAddress() }),
  }),
  ...(buildRequest === undefined ? {} : { buildRequest }),
  withoutIdempotencyKey: withoutKey,
})
const withScimGroup = (buildRequest?: () => EdgeRequestOptions): AccessFixture => ({
  params: async (context) => ({
    scim_group_id: await createInDirectory(context, '/Groups', { displayName: randomUUID() }),
  }),
  ...(buildRequest === undefined ? {} : { buildRequest }),
  withoutIdempotencyKey: withoutKey,
})
const scimSchema = (name: string) => ({ schemas: [`urn:ietf:params:scim:${name}`] })
const newScimUser = () => ({ body: { ...scimSchema('schemas:core:2.0:User'), userName: newAddress() } })
const newScimGroup = () => ({ body: { ...scimSchema('schemas:core:2.0:Group'), displayName: randomUUID() } })
const scimChange = () => ({
  body: { ...scimSchema('api:messages:2.0:PatchOp'), Operations: [{ op: 'replace', path: 'externalId', value: 'x' }] },
})

const directoryFixtures: AccessFixtures = {
  'auth.createScimToken': { request: { body: { name: 'Entra ID' } } },
  'auth.listScimTokens': {},
  'auth.deleteScimToken': {
    params: async (context) => ({ key_id: await context.createId('/v1/auth/scim-tokens', {}, 'key_id') }),
  },
  'auth.getSignInPolicy': {},
  'auth.updateSignInPolicy': {
    request: { body: { default_role: 'member' } },
    alternativeBody: { default_role: 'viewer' },
  },
  'auth.getScimConfig': {},
  'auth.listScimResourceTypes': {},
  'auth.getScimResourceType': { params: async () => ({ name: 'User' }), isForEveryone: true },
  'auth.listScimSchemas': {},
  'auth.getScimSchema': {
    params: async () => ({ urn: 'urn:ietf:params:scim:schemas:core:2.0:User' }),
    isForEveryone: true,
  },
  'auth.listScimUsers': {},
  'auth.createScimUser': { buildRequest: newScimUser, withoutIdempotencyKey: withoutKey },
  'auth.getScimUser': withScimUser(),
  'auth.replaceScimUser': withScimUser(newScimUser),
  'auth.patchScimUser': withScimUser(scimChange),
  'auth.deleteScimUser': withScimUser(),
  'auth.listScimGroups': {},
  'auth.createScimGroup': { buildRequest: newScimGroup, withoutIdempotencyKey: withoutKey },
  'auth.getScimGroup': withScimGroup(),
  'auth.replaceScimGroup': withScimGroup(newScimGroup),
  'auth.patchScimGroup': withScimGroup(scimChange),
  'auth.deleteScimGroup': withScimGroup(),
  'auth.sendScimBulk': { withoutIdempotencyKey: withoutKey },
}

/** Stores a connection of the owner's workspace, and a verified domain, without a provider and a DNS record. */
async function connectProvider({ fleet }: AccessContext, domain?: string): Promise<void> {
  const context = await openContext(fleet.env('auth'))
  try {
    const { workspaceId } = fleet.owner
    await context.database.worker.query(
      `INSERT INTO sso_connections (workspace_id, issuer, client_id, secret_sealed)
       VALUES ($1, 'https://login.example.com', 'c', $2) ON CONFLICT DO NOTHING`,
      [workspaceId, context.sealer.seal('secret', `sso:${workspaceId}`)],
    )
    if (domain === undefined) return
    await context.database.worker.query(
      'INSERT INTO sso_domains (workspace_id, domain, token, verified_at) VALUES ($1, $2, $2, now())',
      [workspaceId, domain],
    )
  } finally {
    await context.close()
  }
}
const newDomain = () => `${randomUUID()}.test`
const withConnection = (body?: object): AccessFixture => ({
  buildRequest: async (context) => {
    await connectProvider(context)
    return body === undefined ? {} : { body }
  },
})
const withDomain = (): AccessFixture => ({
  params: async (context) => {
    const domain = newDomain()
    await connectProvider(context, domain)
    return { domain }
  },
})

const ssoFixtures: AccessFixtures = {
  'auth.getSsoConnection': withConnection(),
  'auth.updateSsoConnection': {
    ...withConnection({ groups_claim: 'roles' }),
    alternativeBody: { groups_claim: 'teams' },
  },
  'auth.deleteSsoConnection': withConnection(),
  'auth.testSsoConnection': {
    ...withConnection(),
    withoutIdempotencyKey: 'a test has neither a body nor a resource, and changes nothing',
  },
  'auth.listSsoDomains': {},
  'auth.createSsoDomain': { buildRequest: () => ({ body: { domain: newDomain() } }) },
  'auth.getSsoDomain': withDomain(),
  'auth.verifySsoDomain': withDomain(),
  'auth.deleteSsoDomain': withDomain(),
}

const deletableName = 'deletable'

/** Creates a workspace of a user of its own, and returns the user's token. */
async function createDeletableWorkspace({ fleet }: AccessContext): Promise<string> {
  const workspace = await fleet.seed(randomUUID())
  const as = await fleet.token(workspace)
  await fleet.request('PATCH', '/v1/system/workspace', { as, body: { name: deletableName } })
  return await fleet.userToken(workspace.ownerId)
}

/** Requests the deletion of a workspace of the owner, which is in its grace period then. */
async function requestDeletion(
  { fleet, owner }: AccessContext,
  { isCancelled }: { isCancelled: boolean },
): Promise<{ workspace_id: string }> {
  const as = owner.user
  const { body: listed } = await fleet.request('GET', '/v1/system/workspaces?limit=100', { as })
  const found: { workspace_id: string } | undefined = listed.data.find(
    ({ name }: { name: string }) => name === deletableName,
  )
  const created = { as, body: { name: deletableName } }
  // A cancelled deletion leaves the workspace for the next one; a request to cancel needs one of its own.
  const reused = isCancelled ? found : undefined
  const { workspace_id: id } = reused ?? (await fleet.request('POST', '/v1/system/workspaces', created)).body.data
  const headers = { 'x-workspace-key': id }
  await fleet.request('DELETE', `/v1/system/workspace?confirm=${id}`, { as, headers })
  if (isCancelled) await fleet.request('POST', `/v1/system/workspaces/${id}/deletion/cancel`, { as })
  return { workspace_id: id }
}

const workspaceFixtures: AccessFixtures = {
  'system.listWorkspaces': {},
  'system.createWorkspace': { request: { body: { name: 'another' } } },
  'system.getWorkspaceById': {
    params: async (context) => ({ workspace_id: (await context.read('/v1/system/workspace')).workspace_id }),
  },
  'system.getWorkspace': {},
  'system.updateWorkspace': { request: { body: { name: 'renamed' } } },
  'system.deleteWorkspace': {
    credential: createDeletableWorkspace,
    buildRequest: () => ({ query: `confirm=${deletableName}` }),
  },
  'system.getWorkspaceDeletion': { params: async (context) => await requestDeletion(context, { isCancelled: true }) },
  'system.cancelWorkspaceDeletion': {
    params: async (context) => await requestDeletion(context, { isCancelled: false }),
  },
}

export const accessFixtures: AccessFixtures = {
  ...apiKeyFixtures,
  ...servicePrincipalFixtures,
  ...sessionFixtures,
  ...reauthenticationFixtures,
  ...passkeyFixtures,
  ...userFixtures,
  ...invitationFixtures,
  ...roleFixtures,
  ...directoryFixtures,
  ...ssoFixtures,
  ...workspaceFixtures,
}
