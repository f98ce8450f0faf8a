import { eventually, findFreePort } from '@wp/testkit'
import { startNginx } from './nginx.ts'
import { startProcess } from './start-process.ts'

/** A proxy that ours is compared with. */
export interface ReferenceProxy {
  name: string
  /** Short, for the head of a column. */
  shortName: string
  port: number
  pid: number | undefined
  stop(): void
}

/** Starts all that this machine can run and waits until they answer; says so where one is missing. */
export async function startReferenceProxies(upstream: string): Promise<ReferenceProxy[]> {
  const bare = await startNode('bare http-proxy-middleware', 'bare', 'bare-proxy.ts', upstream)
  const fastify = await startNode('@fastify/http-proxy', 'fastify', 'fastify-proxy.ts', upstream)
  const port = await findFreePort()
  const nginx = startNginx(upstream, port)
  if (nginx === undefined) process.stdout.write('nginx is not installed here, so it is left out\n')
  const peers = [
    bare,
    fastify,
    ...(nginx === undefined ? [] : [{ name: 'nginx, auth_request', shortName: 'nginx', port, ...nginx }]),
  ]
  await Promise.all(peers.map((peer) => eventually(() => fetch(`http://127.0.0.1:${peer.port}/stats`))))
  return peers
}

async function startNode(name: string, shortName: string, file: string, upstream: string): Promise<ReferenceProxy> {
  const port = await findFreePort()
  const child = startProcess(file, { PORT: String(port), TARGET: upstream })
  return { name, shortName: shortName, port, pid: child.pid, stop: () => void child.kill('SIGKILL') }
}
