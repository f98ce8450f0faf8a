import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { connect } from 'node:net'
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
    ...(await addressOf(container, plan.port)),
    async stop() {
      process.off('exit', remove)
      await container.stop({ timeout: 0 })
    },
  }
}

/**
 * Returns the address of a published port. That of Docker on this machine is 127.0.0.1, as that of a process is: the
 * certificates of tests name it, and clients may connect to it. `localhost` may resolve to ::1, where Docker may
 * publish another port, and a machine that looks like a container gets the address of a bridge from testcontainers.
 */
async function addressOf(container: StartedTestContainer, port: number): Promise<{ host: string; port: number }> {
  const bindings = execFileSync('docker', ['port', container.getId(), `${port}/tcp`], { encoding: 'utf8' })
  const published = Number(/^(?:0\.0\.0\.0|127\.0\.0\.1):(\d+)$/m.exec(bindings)?.[1] ?? 0)
  if (published !== 0 && (await acceptsConnections(published))) return { host: '127.0.0.1', port: published }
  return { host: container.getHost(), port: container.getMappedPort(port) }
}

/** Returns true if this machine accepts TCP connections on the port, as it does if Docker runs here. */
async function acceptsConnections(port: number): Promise<boolean> {
  const socket = connect({ host: '127.0.0.1', port })
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}
