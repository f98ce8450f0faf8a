import { ai, data, type PublicEndpoint } from '@wp/contracts'

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
