import { type EndpointDefinition, type Method, problem, publicEndpoints, type ServiceName } from '@wp/contracts'

/** The endpoint of a request and the service that serves it. */
export interface MatchedEndpoint {
  service: ServiceName
  definition: EndpointDefinition
}

/** Finds the public endpoint of a request. */
export interface EndpointTable {
  /** @throws Problem 404 if the path is unknown, 405 with `Allow` if only the method is */
  find(method: string, path: string): MatchedEndpoint
  /** Returns the methods of a path; undefined if the path is unknown. */
  methodsOf(path: string): readonly string[] | undefined
}

/** A node of the path tree: one segment. */
interface Node {
  literals: Map<string, Node>
  parameter: Node | undefined
  endpoints: Map<Method, MatchedEndpoint>
}

/**
 * Builds the table from the contracts as a tree of path segments. Literals take precedence over parameters. A path
 * without parameters is looked up as a whole.
 */
export function createEndpointTable(endpoints: readonly MatchedEndpoint[] = publicEndpoints): EndpointTable {
  const root = createNode()
  const literalPaths = new Map<string, Node>()
  for (const endpoint of endpoints) {
    const node = insert(root, endpoint)
    const { path } = endpoint.definition
    if (!path.includes('{')) literalPaths.set(path, node)
  }
  const findNode = (path: string) => literalPaths.get(path) ?? walk(root, segmentsOf(path), 0)
  return {
    find(method, path) {
      const node = findNode(path)
      if (node === undefined) throw pathNotFound(path, findNode(path.replace(/\/+$/, '')) !== undefined)
      const endpoint = node.endpoints.get((method === 'HEAD' ? 'GET' : method) as Method) // other methods are not found
      if (endpoint === undefined) throw problem('method_not_allowed', methodsOnly(methodsAt(node)))
      return endpoint
    },
    methodsOf(path) {
      const node = findNode(path)
      return node && methodsAt(node)
    },
  }
}

/** @param hasShorter true if an endpoint has the path without slashes at its end */
const pathNotFound = (path: string, hasShorter: boolean) =>
  problem('not_found', {
    detail:
      hasShorter && path.endsWith('/')
        ? 'No endpoint has this path; leave out the slash at its end'
        : 'No endpoint has this path',
  })

const methodsOnly = (methods: readonly string[]) => ({
  detail: `The method is not allowed here; allowed: ${methods.join(', ')}`,
  headers: { allow: methods.join(', ') },
})

const segmentsOf = (path: string): string[] => path.split('/').slice(1)

function insert(root: Node, endpoint: MatchedEndpoint): Node {
  let node = root
  for (const segment of segmentsOf(endpoint.definition.path)) node = childOf(node, segment)
  node.endpoints.set(endpoint.definition.method, endpoint)
  return node
}

function childOf(node: Node, segment: string): Node {
  if (segment.startsWith('{')) {
    node.parameter ??= createNode()
    return node.parameter
  }
  const child = node.literals.get(segment) ?? createNode()
  node.literals.set(segment, child)
  return child
}

/** Finds the node of the segments from an index on, below a node. */
function walk(node: Node | undefined, segments: readonly string[], index: number): Node | undefined {
  if (node === undefined) return undefined
  const segment = segments[index]
  if (segment === undefined) return node.endpoints.size > 0 ? node : undefined
  const literal = walk(node.literals.get(segment), segments, index + 1)
  if (literal !== undefined || node.parameter === undefined) return literal
  return isParameterValue(segment) ? walk(node.parameter, segments, index + 1) : undefined
}

/** Accepts a value that no parser downstream could read as a separator or as a parent directory. */
function isParameterValue(segment: string): boolean {
  if (!/^[A-Za-z0-9._~%:@!$&'()*+,;=-]+$/.test(segment)) return false
  const decoded = segment.includes('%') ? decode(segment) : segment
  return decoded !== undefined && decoded !== '.' && decoded !== '..' && !/[/\\\0]/.test(decoded)
}

function decode(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment)
  } catch {
    return undefined // services could not decode it either
  }
}

const methodsAt = ({ endpoints }: Node): string[] => [...endpoints.keys(), ...(endpoints.has('GET') ? ['HEAD'] : [])]

const createNode = (): Node => ({ literals: new Map(), parameter: undefined, endpoints: new Map() })
