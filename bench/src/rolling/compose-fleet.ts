import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { eventually } from '@wp/testkit'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../../..')

/** A running container of a compose project. */
export interface Container {
  id: string
  /** Its address in the network of clients and the gateway; undefined if it is not connected to that network. */
  clientAddress: string | undefined
}

/** The fleet of docker-compose.yml, in a compose project of the benchmark. */
export interface ComposeFleet {
  up(services?: readonly string[], replicas?: Readonly<Record<string, number>>): Promise<void>
  /** Returns the running containers of a service, oldest first. */
  containers(service: string): Promise<Container[]>
  /** Starts another gateway with the same network name and no published port. */
  addGateway(): Promise<void>
  waitUntilHealthy(id: string): Promise<void>
  /** Stops and removes a container. @param kill with SIGKILL instead of SIGTERM and a grace period of 40 seconds */
  stop(id: string, kill: boolean): Promise<void>
  down(): Promise<void>
}

/** @param command `docker-compose` or `docker compose` */
export function createComposeFleet(command: string, env: Readonly<Record<string, string>>): ComposeFleet {
  const project = 'wprolling'
  const [program = '', ...programArgs] = command.split(' ')
  const options = { cwd: root, env: { ...process.env, ...env }, maxBuffer: 64 * 1024 * 1024 }
  const compose = (...args: string[]) => run(program, [...programArgs, '-p', project, ...args], options)
  const docker = async (...args: string[]) => (await run('docker', args, options)).stdout.trim()

  return {
    async up(services = [], replicas = {}) {
      const scales = Object.entries(replicas).flatMap(([service, count]) => ['--scale', `${service}=${count}`])
      const selection = services.length > 0 ? ['--no-deps', '--no-recreate'] : []
      await compose('up', '-d', ...selection, ...scales, ...services)
    },
    async containers(service) {
      const labels = [`com.docker.compose.project=${project}`, `com.docker.compose.service=${service}`]
      const ids = await docker('ps', '-q', '--no-trunc', ...labels.flatMap((label) => ['--filter', `label=${label}`]))
      const containerIds = ids.split('\n').filter(Boolean).reverse()
      const addressTemplate = `{{with index .NetworkSettings.Networks "${project}_outside"}}{{.IPAddress}}{{end}}`
      return Promise.all(
        containerIds.map(async (id) => ({
          id,
          clientAddress: (await docker('inspect', '-f', addressTemplate, id)) || undefined,
        })),
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
    async stop(id, kill) {
      await (kill ? docker('kill', id) : docker('stop', '-t', '40', id))
      await docker('rm', '-f', id)
    },
    async down() {
      await compose('down', '--volumes', '--remove-orphans', '-t', '2')
    },
  }
}
