import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isSigner } from '@wp/contracts'
import { eventually, findFreePort } from '@wp/testkit'
import { type Builder, type BuiltImage, builderEnvironment } from './build-image.ts'
import { runCommand, succeeds } from './run-command.ts'

/** The fleet of docker-compose.yml in a project of its own, beside one that a developer runs. */
export interface ComposeFleet extends AsyncDisposable {
  /** Builds what is missing and starts the fleet. Resolves when every process is healthy. */
  up(): Promise<void>
  /** Replaces the containers of processes by those of their own images. Resolves when they are healthy. */
  replace(images: readonly BuiltImage[]): Promise<void>
  /** Returns the output of the demo. @throws Error if it fails */
  runDemo(): Promise<string>
  /** @throws Error if `/healthz` of a process does not respond with 200 */
  requireHealth(name: string): Promise<void>
  /** Returns a line a container: its name, memory and limit. */
  readMemory(): Promise<string[]>
}

const root = join(import.meta.dirname, '../../..')
const project = 'wp-images-check'
/** Not that of docker-compose.yml, which a fleet of a developer occupies. */
const subnet = '172.29.251.0/24'
const healthTimeoutMs = 300_000

/** Returns docker-compose, or the plugin of the same function. @throws Error if there is neither */
async function findCompose(): Promise<string[]> {
  for (const command of [['docker-compose'], ['docker', 'compose']])
    if (await succeeds([...command, 'version'])) return command
  throw new Error('there is neither docker-compose nor docker compose')
}

/** Prepares the fleet. Disposal removes its containers, networks and volumes. */
export async function createComposeFleet(builder: Builder): Promise<ComposeFleet> {
  const command = await findCompose()
  const folder = mkdtempSync(join(tmpdir(), 'wp-images-'))
  const override = join(folder, 'override.json')
  const variables = join(folder, 'variables')
  writeFileSync(variables, '')
  const files = ['--file', join(root, 'docker-compose.yml')]
  // The settings of a developer in .env are not used.
  const options = ['--project-name', project, '--project-directory', root, '--env-file', variables]
  const environment = {
    ...builderEnvironment(builder),
    PORT: String(await findFreePort()),
    OUTSIDE_SUBNET: subnet,
  }
  const compose = (...args: string[]) => runCommand([...command, ...options, ...files, ...args], environment)
  /** Runs a command that starts containers and waits for their health. Logs are lost with the containers. */
  const start = async (...args: string[]) => {
    try {
      await compose(...args)
      let waiting: string[] = []
      await eventually(
        async () => {
          waiting = (await findUnhealthy(project)).map(({ name }) => name)
          return waiting.length === 0
        },
        { timeoutMs: healthTimeoutMs, intervalMs: 1_000, description: () => `the health of ${waiting.join(', ')}` },
      )
    } catch (error) {
      throw new Error(`${error instanceof Error ? error.message : error}\n${await describeUnhealthy(project)}`, {
        cause: error,
      })
    }
  }
  return {
    up: () => start('up', '-d', '--build'),
    async replace(images) {
      const own = images.filter(({ name }) => isSigner(name))
      const services = Object.fromEntries(
        own.map(({ name, tag }) => [name, { image: tag, command: ['node', 'main.ts'] }]),
      )
      writeFileSync(override, JSON.stringify({ services }))
      files.push('--file', override)
      await start('up', '-d', '--no-build', '--no-deps', ...own.map(({ name }) => name))
    },
    runDemo: () => compose('run', '--rm', '-T', 'demo'),
    async requireHealth(name) {
      const request = `fetch('http://127.0.0.1:' + (process.env.ADMIN_PORT ?? process.env.PORT) + '/healthz')
        .then(({ status }) => process.exit(status === 200 ? 0 : 1))`
      await compose('exec', '-T', name, 'node', '-e', request)
    },
    readMemory: () => readMemory(project),
    async [Symbol.asyncDispose]() {
      // Docker may still release the addresses of a removed container, and then keeps the network.
      const down = async () => await compose('down', '--volumes', '--remove-orphans')
      await eventually(down, { timeoutMs: 60_000, intervalMs: 1_000, description: 'the removal of the fleet' })
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** The lines of the log that explain why a container is not healthy. */
const logLines = 8

const linesOf = (text: string): string[] => text.split('\n').filter((line) => line !== '')

async function listContainers(project: string, ...options: string[]): Promise<string[]> {
  const filter = `label=com.docker.compose.project=${project}`
  return linesOf(await runCommand(['docker', 'ps', '--quiet', '--filter', filter, ...options]))
}

/** Returns name and state of the containers of a project that are neither healthy nor ended with code 0. */
async function findUnhealthy(project: string): Promise<{ name: string; state: string }[]> {
  const ids = await listContainers(project, '--all')
  if (ids.length === 0) return []
  const code = '{{if eq .State.Status "exited"}} {{.State.ExitCode}}{{end}}'
  // A container that has ended keeps the health that it had before.
  const health = '{{if and .State.Running .State.Health}} {{.State.Health.Status}}{{end}}'
  const format = `{{.Name}} {{.State.Status}}${code}${health}`
  const lines = await runCommand(['docker', 'inspect', '--format', format, ...ids])
  return linesOf(lines)
    .map((line) => ({ name: line.slice(1, line.indexOf(' ')), state: line.slice(line.indexOf(' ') + 1) }))
    .filter(({ state }) => state !== 'running healthy' && state !== 'exited 0')
}

/** Returns the states of these containers with the ends of their logs. */
async function describeUnhealthy(project: string): Promise<string> {
  const descriptions = (await findUnhealthy(project)).map(async ({ name, state }) => {
    const log = await runCommand(['sh', '-c', `docker logs --tail ${logLines} "$1" 2>&1`, 'sh', name])
    return `${name} is ${state}; the end of its log:\n${log}`
  })
  return (await Promise.all(descriptions)).join('\n')
}

/** Returns a line for each running container of a project: its name, memory and limit. */
async function readMemory(project: string): Promise<string[]> {
  const format = '{{.Name}} {{.MemUsage}}'
  const ids = await listContainers(project)
  return linesOf(await runCommand(['docker', 'stats', '--no-stream', '--format', format, ...ids])).sort()
}
