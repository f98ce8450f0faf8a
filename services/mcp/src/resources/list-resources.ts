import type { ListResourcesResult, ListResourceTemplatesResult } from '@modelcontextprotocol/server'
import { ai } from '@wp/contracts'
import { callEndpoint, type Exchange } from '../call-endpoint.ts'
import type { Context } from '../context.ts'
import { isPermitted } from '../is-permitted.ts'
import { agentRunUri, resourceKinds } from './resource-kinds.ts'

const mimeType = 'application/json'

/** Lists the agent runs, newest first. Records are found with the tools: a workspace can have millions. */
export async function listResources(
  context: Context,
  exchange: Exchange,
  cursor: string | undefined,
): Promise<ListResourcesResult> {
  if (!isPermitted(ai.listRuns, exchange.caller)) return { resources: [] }
  const query = cursor === undefined ? {} : { cursor }
  const page = await callEndpoint(context, exchange, ai.listRuns, { query })
  const resources = page.items.map(({ id, agent_id, status, created_at }) => ({
    uri: agentRunUri(id),
    name: id,
    title: `Run of ${agent_id}, ${status}, ${created_at}`,
    mimeType,
  }))
  return { resources, ...(page.nextCursor === null ? {} : { nextCursor: page.nextCursor }) }
}

/** Lists the templates of the resources that the caller may read. */
export const listResourceTemplates = ({ caller }: Exchange): ListResourceTemplatesResult => ({
  resourceTemplates: resourceKinds
    .filter(({ reader }) => isPermitted(reader, caller))
    .map(({ name, title, description, uriTemplate }) => ({ name, title, description, uriTemplate, mimeType })),
})
