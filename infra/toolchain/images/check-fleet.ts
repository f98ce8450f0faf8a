import { isSigner } from '@wp/contracts'
import type { Builder, BuiltImage } from './build-image.ts'
import { createComposeFleet } from './compose-fleet.ts'

/**
 * Starts the fleet of docker-compose.yml, runs the demo against it, replaces every process by the image of its own that
 * was built, requests its health, and runs the demo again.
 * @throws Error if a container does not become healthy or the demo fails
 */
export async function checkFleet(
  images: readonly BuiltImage[],
  builder: Builder,
  print: (line: string) => void,
): Promise<void> {
  await using fleet = await createComposeFleet(builder)
  await measure(`${builder}: docker-compose up -d`, print, () => fleet.up())
  await measure(`${builder}: demo`, print, async () => print(await fleet.runDemo()))
  for (const line of await fleet.readMemory()) print(`${builder}: memory of ${line}`)
  const own = images.filter(({ name }) => isSigner(name))
  if (own.length === 0) return
  await measure(`${builder}: ${own.length} processes replaced by their own images`, print, () => fleet.replace(own))
  for (const { name } of own) await fleet.requireHealth(name)
  print(`${builder}: /healthz responds with 200 in ${own.map(({ name }) => name).join(', ')}`)
  await measure(`${builder}: demo against these`, print, () => fleet.runDemo())
  for (const line of await fleet.readMemory()) print(`${builder}: memory of ${line}`)
}

async function measure(title: string, print: (line: string) => void, work: () => Promise<unknown>): Promise<void> {
  const startedAt = performance.now()
  await work()
  print(`${title}: ${((performance.now() - startedAt) / 1000).toFixed(0)} s`)
}
