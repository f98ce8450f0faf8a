import {
  type ListResourcesResult,
  type ListResourceTemplatesResult,
  type ReadResourceResult,
  ResourceNotFoundError,
} from '@modelcontextprotocol/server'
import { ai, data, Problem, type PublicEndpoint } from '@wp/contracts'
import { callEndpoint, type Exchange, isPermitted } from './call-endpoint.ts'
import type { Context } from './context.ts'
import { fitResource } from './tools/fit-output.ts'

const mimeType = 'application/json'

/** A kind of resource: the endpoint that reads one, and the URIs that name them. */
export interface ResourceKind {
  name: string
  title: string
  description: string
  uriTemplate: string
  reader: PublicEndpoint
}

/** The resources of MCP. Their URIs have a scheme of their own: they are read with `resources/read`, not over HTTP. */
export const resourceKinds: readonly ResourceKind[] = [
  {
    name: 'record',
    title: 'Record',
    description: 'A record of a data source, by the `record_id` of a search result',
    uriTemplate: 'workspace://records/{record_id}',
    reader: data.getRecord,
  },
  {
    name: 'agent-run',
    title: 'Agent run',
    description: 'A run of an agent with its output, citations and steps',
    uriTemplate: 'workspace://agent-runs/{id}',
    reader: ai.getRun,
  },
]

/** Returns the kind and the path parameters of the resource that a URI names; undefined if it names none. */
export function findResource(uri: string): { kind: ResourceKind; params: Record<string, string> } | undefined {
  for (const kind of resourceKinds) {
    const [, prefix = '', parameter = ''] = /^(.*)\{(\w+)\}$/.exec(kind.uriTemplate) ?? []
    const id = uri.slice(prefix.length)
    if (uri.startsWith(prefix) && kind.reader.params?.safeParse({ [parameter]: id }).success === true)
      return { kind, params: { [parameter]: id } }
  }
  return undefined
}

/** Returns the URI of an agent run. */
export const agentRunUri = (id: string): string => `workspace://agent-runs/${id}`

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

/**
 * Reads a resource as JSON, as the tool for it returns it.
 * @throws ResourceNotFoundError if the workspace of the caller has no such resource; Problem for any other error
 */
export async function readResource(context: Context, exchange: Exchange, uri: string): Promise<ReadResourceResult> {
  const found = findResource(uri)
  if (found === undefined) throw new ResourceNotFoundError(uri)
  const { kind, params } = found
  const request = { params }
  const data = await callEndpoint<PublicEndpoint>(context, exchange, kind.reader, request).catch((error: unknown) => {
    throw error instanceof Problem && error.code === 'not_found' ? new ResourceNotFoundError(uri) : error
  })
  const text = JSON.stringify(fitResource(kind.reader, data))
  return { contents: [{ uri, mimeType: 'application/json', text }] }
}
