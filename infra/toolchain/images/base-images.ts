import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readComposeImage } from '@wp/testkit'

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
