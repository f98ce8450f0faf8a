import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { eventually } from '@wp/testkit'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../../..')

/** One container of a composed fleet. */
export interface Container {
  id: string
  /** In the network that the edge and its clients share, where it is in one. */
  clientAddress: string | undefined
}

/** A fleet under docker-compose, in a project of its own. */
export interface ComposeFleet {
  up(services?: readonly string[], replicas?: Readonly<Record<string, number>>): Promise<void>
  /** Running ones, the oldest first. */
  containers(service: string): Promise<Container[]>
  /** One more edge, which has the name of the others but no published port. */
  addGateway(): Promise<void>
  waitUntilHealthy(id: string): Promise<void>
  /** As whoever rolls it out does it; or at once, as a process that ends at SIGTERM. */
  stop(id: string, atOnce: boolean): Promise<void>
  down(): Promise<void>
}

/** @param command how compose is called, such as `docker-compose` or `docker compose` */
export function createComposeFleet(command: string, env: Readonly<Record<string, string>>): ComposeFleet {
  const project = 'wprolling'
  const [program = '', ...first] = command.split(' ')
  const options = { cwd: root, env: { ...process.env, ...env }, maxBuffer: 64 * 1024 * 1024 }
  const compose = (...args: string[]) => run(program, [...first, '-p', project, ...args], options)
  const docker = async (...args: string[]) => (await run('docker', args, options)).stdout.trim()

  return {
    async up(services = [], replicas = {}) {
      const scales = Object.entries(replicas).flatMap(([service, many]) => ['--scale', `${service}=${many}`])
      const only = services.length > 0 ? ['--no-deps', '--no-recreate'] : []
      await compose('up', '-d', ...only, ...scales, ...services)
    },
    async containers(service) {
      const labels = [`com.docker.compose.project=${project}`, `com.docker.compose.service=${service}`]
      const ids = await docker('ps', '-q', '--no-trunc', ...labels.flatMap((label) => ['--filter', `label=${label}`]))
      const found = ids.split('\n').filter(Boolean).reverse()
      const address = `{{with index .NetworkSettings.Networks "${project}_outside"}}{{.IPAddress}}{{end}}`
      return Promise.all(
        found.map(async (id) => ({ id, clientAddress: (await docker('inspect', '-f', address, id)) || undefined })),
      )
    },
    async addGateway() {
      await compose('run', '-d', '--no-deps', '--use-aliases', 'gateway')
    },
    waitUntilHealthy: async (id) => {
      await eventually(async () => (await docker('inspect', '-f', '{{.State.Health.Status}}', id)) === 'healthy', {
        timeoutMs: 120_000,
        intervalMs: 250,
        description: `${id} to be healthy`,
      })
    },
    async stop(id, atOnce) {
      await (atOnce ? docker('kill', id) : docker('stop', '-t', '40', id))
      await docker('rm', '-f', id)
    },
    async down() {
      await compose('down', '--volumes', '--remove-orphans', '-t', '2')
    },
  }
}
