import { readComposeImage } from './compose-image.ts'
import { type ServerContainer, startContainer } from './container.ts'
import { renderNatsConfiguration } from './nats-configuration.ts'

const configurationFile = '/etc/nats/test.conf'
const storeDir = '/data'

/** Starts the broker's image of docker-compose.yml, configured as a process is, with its streams in memory. */
export async function startNatsContainer(): Promise<ServerContainer & { image: string; url: string }> {
  const image = readComposeImage('nats')
  const content = renderNatsConfiguration({ listen: '0.0.0.0:4222', storeDir })
  const container = await startContainer({
    image,
    port: 4222,
    command: ['-c', configurationFile],
    files: [{ target: configurationFile, content }],
    inMemory: storeDir,
  })
  return { ...container, image, url: `nats://${container.host}:${container.port}` }
}
