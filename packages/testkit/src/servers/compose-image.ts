import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const composeFile = join(import.meta.dirname, '../../../../docker-compose.yml')

/**
 * Returns the image of a service in docker-compose.yml, such as `nats:2.12.15-alpine`. Versions are named there and
 * nowhere in the testkit, so that tests use those of development.
 * @throws Error if the service has no image
 */
export function readComposeImage(service: string): string {
  const [, image] = new RegExp(`^  ${service}:\\n    image: (\\S+)$`, 'm').exec(readFileSync(composeFile, 'utf8')) ?? []
  if (image === undefined) throw new Error(`${composeFile} names no image of ${service}`)
  return image
}
