import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { StartedTestContainer } from 'testcontainers'

/**
 * Returns the reason why no container can be started, or undefined if Docker is available and has the image. Never
 * pulls.
 */
export function findContainerProblem(image: string): string | undefined {
  const sockets = ['/var/run/docker.sock', join(homedir(), '.docker/run/docker.sock')]
  const rootless = process.env.XDG_RUNTIME_DIR
  if (rootless !== undefined) sockets.push(join(rootless, 'docker.sock'))
  if (!process.env.DOCKER_HOST && !sockets.some((socket) => existsSync(socket))) return 'no Docker'
  try {
    const options = { encoding: 'utf8', timeout: 10_000, stdio: 'pipe' } as const
    execFileSync('docker', ['image', 'inspect', '--format', '{{.Id}}', image], options)
    return undefined
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    return /no such image/i.test(message) ? `Docker has no image ${image}` : 'Docker does not answer'
  }
}

export type ContainerOptions = {
  image: string
  port: number
  command: string[]
  environment?: Record<string, string>
  /** Files that are created in the container before it starts. */
  files?: { target: string; content: string }[]
  /** A folder of the container that is mounted in memory. */
  inMemory?: string
}

export type ServerContainer = { host: string; port: number; stop(): Promise<void> }

/**
 * Starts a container of a local image. `host` and `port` are its address from this process. The container is removed
 * when this process exits.
 */
export async function startContainer(plan: ContainerOptions): Promise<ServerContainer> {
  // The reaper of testcontainers needs an image that may be missing.
  process.env.TESTCONTAINERS_RYUK_DISABLED ??= 'true'
  const { GenericContainer } = await import('testcontainers')
  const container = await new GenericContainer(plan.image)
    .withEnvironment(plan.environment ?? {})
    .withExposedPorts(plan.port)
    .withCommand(plan.command)
    .withCopyContentToContainer(plan.files ?? [])
    .withTmpFs(plan.inMemory === undefined ? {} : { [plan.inMemory]: 'rw' })
    .withStartupTimeout(30_000)
    .start()
  const remove = () =>
    void execFileSync('docker', ['rm', '--force', '--volumes', container.getId()], { stdio: 'ignore' })
  process.once('exit', remove)
  return {
    ...addressOf(container, plan.port),
    async stop() {
      process.off('exit', remove)
      await container.stop({ timeout: 0 })
    },
  }
}

/**
 * Returns the address of a published port. That of a local Docker is 127.0.0.1, as that of a process is: `localhost`
 * may resolve to ::1, where Docker may publish another port, and the certificates of tests do not name it.
 */
function addressOf(container: StartedTestContainer, port: number): { host: string; port: number } {
  const host = container.getHost()
  if (host !== 'localhost') return { host, port: container.getMappedPort(port) }
  const bindings = execFileSync('docker', ['port', container.getId(), `${port}/tcp`], { encoding: 'utf8' })
  const [, published] = /^(?:0\.0\.0\.0|127\.0\.0\.1):(\d+)$/m.exec(bindings) ?? []
  if (published === undefined) throw new Error(`Docker publishes no port on 127.0.0.1: ${bindings.trim()}`)
  return { host: '127.0.0.1', port: Number(published) }
}
