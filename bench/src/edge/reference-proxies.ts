import { type ChildProcess, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventually, findFreePort } from '@wp/testkit'
import { startProcess, stopProcess } from '../harness/helper-process.ts'
import { type MeteredProcess, meteredProcess } from '../harness/process-usage.ts'

/** A proxy that the gateway is compared with. */
export interface ReferenceProxy extends MeteredProcess {
  url: string
  stop(): Promise<void>
}

export const baselineName = 'bare http-proxy-middleware'

/** Starts all reference proxies that are installed and waits until they respond. */
export async function startReferenceProxies(upstream: string): Promise<ReferenceProxy[]> {
  const proxies = [
    await startNodeProxy(baselineName, 'http-proxy-middleware', upstream),
    await startNodeProxy('@fastify/http-proxy', 'fastify', upstream),
  ]
  if (spawnSync('nginx', ['-v']).status === 0) proxies.push(await startNginx(upstream))
  else process.stdout.write('nginx is not installed and is left out\n')
  await Promise.all(proxies.map(({ url }) => eventually(() => fetch(`${url}/stats`))))
  return proxies
}

async function startNodeProxy(name: string, library: string, upstream: string): Promise<ReferenceProxy> {
  const port = await findFreePort()
  const env = { LIBRARY: library, PORT: String(port), TARGET: upstream }
  return referenceProxy(name, port, startProcess(process.execPath, [join(import.meta.dirname, 'node-proxy.ts')], env))
}

const referenceProxy = (name: string, port: number, child: ChildProcess): ReferenceProxy => ({
  ...meteredProcess(name, child),
  url: `http://127.0.0.1:${port}`,
  stop: () => stopProcess(child),
})

/** Starts nginx with one worker that sends an authorization request to the upstream before it forwards a request. */
async function startNginx(upstream: string): Promise<ReferenceProxy> {
  const port = await findFreePort()
  const directory = mkdtempSync(join(tmpdir(), 'wp-nginx-'))
  const file = join(directory, 'nginx.conf')
  writeFileSync(file, nginxConfiguration(directory, new URL(upstream).host, port))
  const child = startProcess('nginx', ['-c', file, '-p', directory, '-e', 'stderr'], {})
  const proxy = referenceProxy('nginx, auth_request', port, child)
  return {
    ...proxy,
    async stop() {
      await proxy.stop()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

/** With `master_process off` the only process is the worker, so it can be pinned and measured. */
const nginxConfiguration = (directory: string, upstream: string, port: number) => `
daemon off;
master_process off;
pid ${directory}/nginx.pid;
events { worker_connections 1024; }
http {
  access_log off;
  ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${directory}/${name};`).join('\n  ')}
  keepalive_requests 1000000000;
  upstream service { server ${upstream}; keepalive 64; keepalive_requests 1000000000; }
  server {
    listen 127.0.0.1:${port};
    proxy_http_version 1.1;
    proxy_set_header Connection "";
    location / {
      auth_request /authorize;
      proxy_pass http://service;
    }
    location = /authorize {
      internal;
      proxy_pass http://service;
      proxy_pass_request_body off;
      proxy_set_header Connection "";
      proxy_set_header Content-Length "";
    }
  }
}
`
