import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Starts nginx with one worker that sends an authorization request to the upstream before it forwards a request.
 *
 * @returns undefined if nginx is not installed
 */
export function startNginx(upstream: string, port: number): { pid: number | undefined; stop(): void } | undefined {
  if (spawnSync('nginx', ['-v']).status !== 0) return undefined
  const directory = mkdtempSync(join(tmpdir(), 'wp-nginx-'))
  const file = join(directory, 'nginx.conf')
  writeFileSync(file, configuration(directory, new URL(upstream).host, port))
  const child = spawn('nginx', ['-c', file, '-p', directory, '-e', 'stderr'], {
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  return {
    pid: child.pid,
    stop() {
      child.kill('SIGTERM')
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

/** With `master_process off` the only process is the worker, so it can be pinned and measured. */
const configuration = (directory: string, upstream: string, port: number) => `
daemon off;
master_process off;
pid ${directory}/nginx.pid;
events { worker_connections 1024; }
http {
  access_log off;
  client_body_temp_path ${directory}/body;
  proxy_temp_path ${directory}/proxy;
  fastcgi_temp_path ${directory}/fastcgi;
  uwsgi_temp_path ${directory}/uwsgi;
  scgi_temp_path ${directory}/scgi;
  keepalive_requests 1000000000;
  upstream service { server ${upstream}; keepalive 64; keepalive_requests 1000000000; }
  server {
    listen 127.0.0.1:${port};
    location / {
      auth_request /authorize;
      proxy_pass http://service;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
    }
    location = /authorize {
      internal;
      proxy_pass http://service;
      proxy_pass_request_body off;
      proxy_set_header Content-Length "";
      proxy_http_version 1.1;
      proxy_set_header Connection "";
    }
  }
}
`
