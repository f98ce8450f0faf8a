import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readComposeImage } from '@wp/testkit'
import type { ReleaseImage } from './release-images.ts'
import { runCommand, succeeds } from './run-command.ts'

/** The two builders of Docker. The classic one builds every stage of the Dockerfile before a target. */
export const builders = ['classic', 'buildkit'] as const
export type Builder = (typeof builders)[number]

export interface BuiltImage {
  name: ReleaseImage['name']
  tag: string
  seconds: number
  bytes: number
}

const root = join(import.meta.dirname, '../../..')

/** Returns the variables with which the command line of Docker, and docker-compose, use the builder. */
export const builderEnvironment = (builder: Builder): Record<string, string> => ({
  DOCKER_BUILDKIT: builder === 'buildkit' ? '1' : '0',
  COMPOSE_DOCKER_CLI_BUILD: '1',
  DOCKER_CLI_HINTS: 'false',
})

/** Returns the reason why the builder cannot be used; undefined if it can. */
export async function findBuilderProblem(builder: Builder): Promise<string | undefined> {
  if (!(await succeeds(['docker', 'version']))) return 'Docker does not answer'
  if (builder === 'classic' || (await succeeds(['docker', 'buildx', 'version']))) return undefined
  const version = await runCommand(['docker', 'version', '--format', '{{.Client.Version}}'])
  // Older command lines contain BuildKit.
  return Number.parseInt(version, 10) < 23 ? undefined : 'Docker has no plugin buildx'
}

/** @throws Error with the end of the output if the build fails */
export async function buildImage(image: ReleaseImage, builder: Builder): Promise<BuiltImage> {
  const tag = `workspace-platform-check/${image.name}:${builder}`
  const startedAt = performance.now()
  await runCommand(
    ['docker', 'build', '--file', join(root, 'infra/docker/Dockerfile'), ...image.buildArguments, '--tag', tag, root],
    builderEnvironment(builder),
  )
  const seconds = (performance.now() - startedAt) / 1000
  const size = await runCommand(['docker', 'image', 'inspect', '--format', '{{.Size}}', tag])
  return { name: image.name, tag, seconds, bytes: Number(size) }
}

/**
 * Runs the image once.
 * @throws Error if it does not start, or with another major version of Node.js than that of its base image
 */
export async function requireStart(tag: string): Promise<void> {
  const [base = ''] = readBaseImages()
  const major = /:(\d+)/.exec(base)?.[1]
  const output = (await runCommand(['docker', 'run', '--rm', tag, '--version'])).trim()
  if (!output.startsWith(`v${major}.`)) throw new Error(`${tag} starts Node.js ${output}, but is based on ${base}`)
}

const dockerfile = join(import.meta.dirname, '../../docker/Dockerfile')

/**
 * Returns the public images that the images, the fleet in containers and the tests need, as the Dockerfile and
 * docker-compose.yml name them.
 */
export function readBaseImages(): string[] {
  const [, node] = /^FROM (\S+) AS node$/m.exec(readFileSync(dockerfile, 'utf8')) ?? []
  if (node === undefined) throw new Error(`${dockerfile} names no base image`)
  return [node, readComposeImage('postgres'), readComposeImage('nats')]
}
