import { basename } from 'node:path'
import { eventually } from '../eventually.ts'
import { findContainerProblem, startContainer } from '../servers/container.ts'
import { findFreePort } from '../servers/process/ports.ts'
import { createScratchFolder, removeScratch, sweepScratch } from '../servers/process/scratch.ts'
import { type ServerProcess, startServerProcess } from '../servers/process/server-process.ts'
import { classArchive } from '../servers/programs/class-archive.ts'
import { findOpenSearch, openSearchImage } from './distribution.ts'

/** Nodes of OpenSearch on loopback. The first one manages the cluster. */
export interface SearchCluster {
  /** Addresses of all nodes, separated by commas. */
  url: string
  nodes: readonly SearchNode[]
  stop(): Promise<void>
}

interface SearchNode {
  url: string
  /** Undefined for a container. */
  readonly pid?: number
  kill(signal: NodeJS.Signals): Promise<void>
  /** Starts the node again with its data. */
  restart(): Promise<void>
}

interface ClusterOptions {
  /** Default 1. */
  nodes?: number
  /** Heap of each node; default 384. */
  heapMib?: number
  /** True for figures: compiles the code of the node as in production, which takes time at the start. */
  isMeasured?: boolean
}

/** Returns the reason why so many nodes cannot be started here; undefined if they can. A container is one node. */
export function findSearchClusterProblem(nodes = 1): string | undefined {
  if (findOpenSearch() !== undefined) return undefined
  const stored = '`npm run opensearch` has not stored OpenSearch'
  if (nodes > 1) return stored
  const problem = findContainerProblem(openSearchImage())
  return problem && `${stored}, and ${problem}`
}

/**
 * Starts nodes from the libraries in the cache, or else one node as a container.
 * @throws Error with the reason if that is not possible
 */
export async function startSearchCluster({ nodes = 1, ...options }: ClusterOptions = {}): Promise<SearchCluster> {
  const libraries = findOpenSearch()
  if (libraries !== undefined) return startNodes(libraries, nodes, options)
  const problem = findSearchClusterProblem(nodes)
  if (problem !== undefined) throw new Error(problem)
  return startNodeContainer()
}

async function startNodes(libraries: string, count: number, options: ClusterOptions): Promise<SearchCluster> {
  sweepScratch()
  const names = Array.from({ length: count }, (_, nth) => `node${nth + 1}`)
  const ports: { name: string; http: number; transport: number }[] = []
  for (const name of names) ports.push({ name, http: await findFreePort(), transport: await findFreePort() })
  const seeds = ports.map(({ transport }) => `127.0.0.1:${transport}`).join(',')
  const nodes = await Promise.all(
    ports.map(({ name, http, transport }, nth) => {
      const settings = [
        `cluster.name=test${ports[0]?.transport}`,
        `node.name=${name}`,
        `node.roles=${nth === 0 ? 'cluster_manager,data,ingest' : 'data'}`,
        `http.port=${http}`,
        `transport.port=${transport}`,
        `discovery.seed_hosts=${seeds}`,
        ...(nth === 0 ? ['cluster.initial_cluster_manager_nodes=node1'] : []),
        'cluster.routing.allocation.disk.threshold_enabled=false',
      ]
      return startNode(libraries, `http://127.0.0.1:${http}`, settings, options)
    }),
  )
  const [first] = nodes
  await eventually(
    async () => {
      const path = `/_cluster/health?wait_for_nodes=${count}&timeout=1s`
      return (await fetch(`${first?.url}${path}`).catch(() => undefined))?.ok === true
    },
    { timeoutMs: 240_000, description: 'the cluster of OpenSearch' },
  )
  return {
    url: nodes.map(({ url }) => url).join(','),
    nodes,
    async stop() {
      await Promise.all(nodes.map((node) => node.stop()))
    },
  }
}

async function startNode(
  libraries: string,
  url: string,
  settings: readonly string[],
  { heapMib = 384, isMeasured = false }: ClusterOptions,
): Promise<SearchNode & { stop(): Promise<void> }> {
  const home = createScratchFolder('opensearch')
  const heap = [`-Xms${heapMib}m`, `-Xmx${heapMib}m`, '-XX:+UseSerialGC']
  const archive = classArchive(basename(libraries), home)
  const flags = [...heap, ...archive.options, ...(isMeasured ? [] : ['-XX:TieredStopAtLevel=1'])]
  const args = [...flags, '-cp', `${libraries}/*`, 'SearchNode', home, ...settings]
  const start = async (): Promise<ServerProcess> => {
    const started = await startServerProcess(home, { file: 'java', args }, 'SIGKILL')
    await started.waitUntilReady(async () => (await fetch(url).catch(() => undefined))?.ok === true, 240_000)
    return started
  }
  let server = await start()
  return {
    url,
    get pid() {
      return server.pid
    },
    kill: (signal) => server.terminate(signal),
    async restart() {
      server = await start()
    },
    async stop() {
      await server.terminate(archive.stopSignal)
      archive.save()
      removeScratch(home)
    },
  }
}

async function startNodeContainer(): Promise<SearchCluster> {
  const container = await startContainer({
    image: openSearchImage(),
    port: 9200,
    command: ['opensearch'],
    environment: { 'discovery.type': 'single-node', DISABLE_SECURITY_PLUGIN: 'true', OPENSEARCH_JAVA_OPTS: '-Xmx512m' },
  })
  const url = `http://${container.host}:${container.port}`
  await eventually(async () => (await fetch(url).catch(() => undefined))?.ok === true, { timeoutMs: 120_000 })
  const refuse = async () => {
    throw new Error('a container is not killed; use the libraries of OpenSearch')
  }
  return { url, nodes: [{ url, kill: refuse, restart: refuse }], stop: container.stop }
}
