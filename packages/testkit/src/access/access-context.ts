import { raiseRateLimits, setTestQuota } from '../databases/set-quota.ts'
import type { TestFleet } from '../fleet/test-fleet.ts'
import type { TestResponse } from '../fleet/test-service.ts'

/** Bearer tokens of a workspace, with every scope. */
export interface WorkspaceTokens {
  /** Of the service principal. */
  principal: string
  /** Of the signed-in owner. */
  user: string
}

/** A fleet with two workspaces, in which access fixtures create the resources they need. */
export interface AccessContext {
  fleet: TestFleet
  owner: WorkspaceTokens
  /** Another workspace, which must not reach what the owner creates. */
  stranger: WorkspaceTokens
  /** Returns the same context, which creates and reads with another credential of the owner's workspace. */
  actingAs(credential: string): AccessContext
  /** Sends a POST as the owner's service principal and returns `data`. @throws Error if it fails */
  create(path: string, body?: unknown): Promise<Record<string, string>>
  /** Does the same and returns one field of `data`, by default `id`. */
  createId(path: string, body?: unknown, field?: string): Promise<string>
  /** Sends a GET as the owner's service principal and returns `data`. @throws Error if it fails */
  // biome-ignore lint/suspicious/noExplicitAny: fixtures read responses of every shape
  read(path: string): Promise<any>
  /**
   * Returns what `create` made at its first call: a resource of no principal that all tests of the fleet only read. The
   * elements of a list are not such ones: the tests of lists need several.
   */
  createOnce<T>(create: (context: AccessContext) => Promise<T>): Promise<T>
  /** A name that nothing else in the workspace has. */
  uniqueName(): string
}

/** Fixtures make more of these than a workspace may have by default. */
const raisedQuotas = [
  { service: 'auth', quota: 'seats' },
  { service: 'webhook-delivery', quota: 'event_destinations' },
] as const
const raisedLimit = 10_000

/** Creates the context over a running fleet. Fixtures create a new resource for each call, so a test may delete it. */
export async function createAccessContext(fleet: TestFleet): Promise<AccessContext> {
  await raiseRateLimits(fleet.databases.get('auth')?.adminUrl)
  for (const { service, quota } of raisedQuotas) {
    const url = fleet.databases.get(service)?.workerUrl
    if (url === undefined) continue
    for (const { workspaceId } of [fleet.owner, fleet.stranger])
      await setTestQuota(url, workspaceId, quota, raisedLimit)
  }
  const [owner, stranger] = await Promise.all(
    [fleet.owner, fleet.stranger].map(async (workspace) => ({
      principal: await fleet.token(workspace),
      user: await fleet.userToken(workspace.ownerId),
    })),
  )
  if (owner === undefined || stranger === undefined) throw new Error('the fleet has no two workspaces')
  let serial = 0

  const uniqueName = () => {
    serial += 1
    return `resource ${serial}`
  }

  const created = new Map<unknown, Promise<unknown>>()

  const actingAs = (as: string): AccessContext => {
    const create: AccessContext['create'] = async (path, body) =>
      requireSuccess(await fleet.request('POST', path, { as, body })).body.data
    const context: AccessContext = {
      fleet,
      owner,
      stranger,
      actingAs,
      create,
      uniqueName,
      createId: async (path, body, field = 'id') => (await create(path, body))[field] ?? '',
      read: async (path) => requireSuccess(await fleet.request('GET', path, { as })).body.data,
      createOnce<T>(make: (context: AccessContext) => Promise<T>): Promise<T> {
        const made = created.get(make) ?? make(context)
        created.set(make, made)
        return made as Promise<T> // the function is the key of what it made
      },
    }
    return context
  }
  return actingAs(owner.principal)
}

function requireSuccess(response: TestResponse): TestResponse {
  if (response.status >= 300) throw new Error(`${response.status} ${JSON.stringify(response.body)}`)
  return response
}
