import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

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
    const options = { encoding: 'utf8', timeout: 2_000, stdio: 'pipe' } as const
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
  /** A folder of the container that is mounted in memory. */
  inMemory?: string
}

/**
 * Starts a container of a local image. `host` and `port` are its address from this process. The container is removed
 * when this process exits.
 */
export async function startContainer(
  plan: ContainerOptions,
): Promise<{ host: string; port: number; stop(): Promise<void> }> {
  // The reaper of testcontainers needs an image that may be missing.
  process.env.TESTCONTAINERS_RYUK_DISABLED ??= 'true'
  const { GenericContainer } = await import('testcontainers')
  const container = await new GenericContainer(plan.image)
    .withEnvironment(plan.environment ?? {})
    .withExposedPorts(plan.port)
    .withCommand(plan.command)
    .withTmpFs(plan.inMemory === undefined ? {} : { [plan.inMemory]: 'rw' })
    .withStartupTimeout(30_000)
    .start()
  const remove = () =>
    void execFileSync('docker', ['rm', '--force', '--volumes', container.getId()], { stdio: 'ignore' })
  process.once('exit', remove)
  return {
    host: container.getHost(),
    port: container.getMappedPort(plan.port),
    async stop() {
      process.off('exit', remove)
      await container.stop({ timeout: 0 })
    },
  }
}
