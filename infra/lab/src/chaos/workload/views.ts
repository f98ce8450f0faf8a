import type { ChaosWorkspace } from './chaos-workspace.ts'
import type { Resource } from './resources.ts'
import { send } from './send.ts'

/** The values of all runs, which no other resource has as its name. */
const valuePattern = /\bw\d+-(?:north|south)-\d+\b/g

/** Returns all values that occur in a text. */
export const findValues = (text: string): string[] => [...text.matchAll(valuePattern)].map(([value]) => value)

/** Returns the values of all resources of a kind in a workspace, or undefined if they cannot be read. */
export async function listValues(workspace: ChaosWorkspace, resource: Resource): Promise<string[] | undefined> {
  const entries = await listAll(workspace, resource.path)
  return entries?.flatMap((entry) => findValues(String(resource.valueOf(entry))))
}

/** Returns the number of resources of a kind that the usage of a workspace reports, or undefined if it does not. */
export async function readUsage(workspace: ChaosWorkspace, resource: Resource): Promise<number | undefined> {
  const response = await send(workspace, 'GET', '/v1/system/usage')
  if (response?.status !== 200) return undefined
  const quotas: { quota: string; current: number | null }[] = response.body.data.quotas
  return quotas.find(({ quota }) => quota === resource.quota)?.current ?? undefined
}

/** Returns the number of creations of a kind in the audit log, or undefined if it cannot be read. */
export async function countAudited(workspace: ChaosWorkspace, { action }: Resource): Promise<number | undefined> {
  return (await listAll(workspace, `/v1/audit/logs?action=${action}&outcome=success`))?.length
}

/** Returns true if the hash chain of the audit log is complete. */
export async function hasValidAuditChain(workspace: ChaosWorkspace): Promise<boolean> {
  return (await send(workspace, 'GET', '/v1/audit/logs/verify'))?.body.data?.status === 'ok'
}

/** Reads all pages of a list. */
async function listAll(workspace: ChaosWorkspace, path: string): Promise<Record<string, unknown>[] | undefined> {
  const entries: Record<string, unknown>[] = []
  let cursor: string | null = null
  do {
    const query: string = `limit=100${cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`}`
    const response = await send(workspace, 'GET', `${path}${path.includes('?') ? '&' : '?'}${query}`)
    if (response?.status !== 200) return undefined
    entries.push(...response.body.data)
    cursor = response.body.pagination.next_cursor ?? null
  } while (cursor !== null)
  return entries
}
