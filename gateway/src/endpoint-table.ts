import { type EndpointDefinition, type Method, problem, publicEndpoints, type ServiceName } from '@wp/contracts'

/** What the edge knows of an endpoint. */
export interface MatchedEndpoint {
  service: ServiceName
  definition: EndpointDefinition
}

interface Node {
  literal: Map<string, Node>
  parameter: Node | undefined
  methods: Map<Method, MatchedEndpoint>
}

/** Finds the endpoint of a request among all public ones. */
export interface EndpointTable {
  /** @throws Problem 404 for an unknown path, 405 with `Allow` for a known one */
  find(method: string, path: string): MatchedEndpoint
  /** The methods of a path; undefined for an unknown one. */
  methodsOf(path: string): readonly string[] | undefined
}

/** Builds the table from the contracts: a tree of path segments, literals before parameters. */
export function createEndpointTable(endpoints: readonly MatchedEndpoint[] = publicEndpoints): EndpointTable {
  const root = emptyNode()
  for (const known of endpoints) insert(root, known)
  return {
    find(method, path) {
      const node = walk(root, path.split('/').slice(1))
      if (node === undefined) throw problem('not_found', { detail: 'There is nothing at this path' })
      const known = node.methods.get((method === 'HEAD' ? 'GET' : method) as Method) // an unknown word finds nothing
      if (known === undefined)
        throw problem('method_not_allowed', { headers: { allow: allowedMethods(node).join(', ') } })
      return known
    },
    methodsOf(path) {
      const node = walk(root, path.split('/').slice(1))
      return node && allowedMethods(node)
    },
  }
}

function insert(root: Node, known: MatchedEndpoint): void {
  let node = root
  for (const segment of known.definition.path.split('/').slice(1)) node = descend(node, segment)
  node.methods.set(known.definition.method, known)
}

function descend(node: Node, segment: string): Node {
  if (segment.startsWith('{')) {
    node.parameter ??= emptyNode()
    return node.parameter
  }
  const found = node.literal.get(segment) ?? emptyNode()
  node.literal.set(segment, found)
  return found
}

function walk(node: Node | undefined, segments: readonly string[]): Node | undefined {
  if (node === undefined) return undefined
  const [segment, ...rest] = segments
  if (segment === undefined) return node.methods.size > 0 ? node : undefined
  return walk(node.literal.get(segment), rest) ?? (isParameter(segment) ? walk(node.parameter, rest) : undefined)
}

/** A parameter is one plain segment: nothing that another parser could read as a separator or as a way up. */
function isParameter(segment: string): boolean {
  if (!/^[A-Za-z0-9._~%:@!$&'()*+,;=-]+$/.test(segment)) return false
  const decoded = segment.includes('%') ? decode(segment) : segment
  return decoded !== undefined && decoded !== '.' && decoded !== '..' && !/[/\\\0]/.test(decoded)
}

function decode(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment)
  } catch {
    return undefined // no service could read it either
  }
}

const allowedMethods = ({ methods }: Node): string[] => [...methods.keys(), ...(methods.has('GET') ? ['HEAD'] : [])]

const emptyNode = (): Node => ({ literal: new Map(), parameter: undefined, methods: new Map() })
