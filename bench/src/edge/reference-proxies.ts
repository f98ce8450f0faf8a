import { eventually, findFreePort } from '@wp/testkit'
import { startNginx } from './nginx.ts'
import { startProcess } from './start-process.ts'

/** A proxy that the gateway is compared with. */
export interface ReferenceProxy {
  name: string
  /** For the head of a column. */
  shortName: string
  port: number
  pid: number | undefined
  stop(): void
}

export const baselineName = 'bare http-proxy-middleware'

/** Starts all reference proxies that are installed and waits until they respond. */
export async function startReferenceProxies(upstream: string): Promise<ReferenceProxy[]> {
  const baseline = await startNodeProxy(baselineName, 'bare', 'bare-proxy.ts', upstream)
  const fastify = await startNodeProxy('@fastify/http-proxy', 'fastify', 'fastify-proxy.ts', upstream)
  const undici = await startNodeProxy('Node and undici alone', 'undici', 'undici-proxy.ts', upstream)
  const port = await findFreePort()
  const nginx = startNginx(upstream, port)
  if (nginx === undefined) process.stdout.write('nginx is not installed and is left out\n')
  const proxies = [
    baseline,
    fastify,
    undici,
    ...(nginx === undefined ? [] : [{ name: 'nginx, auth_request', shortName: 'nginx', port, ...nginx }]),
  ]
  await Promise.all(proxies.map((proxy) => eventually(() => fetch(`http://127.0.0.1:${proxy.port}/stats`))))
  return proxies
}

async function startNodeProxy(
  name: string,
  shortName: string,
  file: string,
  upstream: string,
): Promise<ReferenceProxy> {
  const port = await findFreePort()
  const child = startProcess(file, { PORT: String(port), TARGET: upstream })
  return { name, shortName, port, pid: child.pid, stop: () => void child.kill('SIGKILL') }
}
