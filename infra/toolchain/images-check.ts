// `npm run images:check` builds the images of a release with both builders of Docker, starts each of them, runs the
// demo against the fleet of docker-compose.yml, and prints times, sizes and memory. Exits with 1 if anything fails. A
// complete check is recorded in infra/docker/checked-images.json, which belongs into the commit.
import { parseArgs } from 'node:util'
import { isSigner } from '@wp/contracts'
import {
  type Builder,
  type BuiltImage,
  builders,
  buildImage,
  findBuilderProblem,
  readBaseImages,
  requireStart,
} from './images/build-image.ts'
import { digestInputs, readRecord, writeRecord } from './images/checked-inputs.ts'
import { createComposeFleet } from './images/compose-fleet.ts'
import { releaseImages, selectImages } from './images/release-images.ts'
import { runCommand } from './images/run-command.ts'

const usage = `usage:
  npm run images:check                    check all images with both builders; takes 20 to 60 minutes
options:
  --builder <classic|buildkit>            only this builder; repeatable
  --image <name>                          only this image; repeatable; the fleet needs platform and demo
  --if-changed                            do nothing if nothing that the last complete check depends on has changed
  --keep                                  keep the images
  --list-base-images                      print the public images that the check needs, and exit`

const print = (line: string) => void process.stdout.write(`${line}\n`)

async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      builder: { type: 'string', multiple: true, default: [] },
      image: { type: 'string', multiple: true, default: [] },
      'if-changed': { type: 'boolean', default: false },
      keep: { type: 'boolean', default: false },
      'list-base-images': { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  if (values.help) return print(usage)
  if (values['list-base-images']) return print(readBaseImages().join('\n'))
  const record = readRecord()
  if (values['if-changed'] && record?.inputs === digestInputs())
    return print(
      `images: not checked: Dockerfile, compose file, lock file and manifests are those of ${record.checkedAt}`,
    )
  const images = selectImages(values.image)
  const chosen = builders.filter((builder) => values.builder.length === 0 || values.builder.includes(builder))
  if (chosen.length < values.builder.length || chosen.length === 0)
    throw new Error(`builders are ${builders.join(', ')}`)
  const built = new Map<Builder, BuiltImage[]>()
  for (const builder of chosen) {
    const problem = await findBuilderProblem(builder)
    if (problem !== undefined) throw new Error(`the ${builder} builder cannot be used: ${problem}`)
    const ofBuilder: BuiltImage[] = []
    built.set(builder, ofBuilder)
    for (const image of images) ofBuilder.push(await checkImage(image, builder))
    const seconds = ofBuilder.reduce((sum, image) => sum + image.seconds, 0)
    print(`${builder}: ${ofBuilder.length} images built and started in ${(seconds / 60).toFixed(1)} minutes`)
    if (['platform', 'demo'].every((name) => ofBuilder.some((image) => image.name === name)))
      await checkFleet(ofBuilder, builder, print)
    else print(`${builder}: the fleet was not started: it needs the images platform and demo`)
    if (!values.keep) await runCommand(['docker', 'image', 'rm', ...ofBuilder.map(({ tag }) => tag)])
  }
  if (images.length < releaseImages.length || chosen.length < builders.length) return
  writeRecord(new Date(), built)
  print('images: the check was complete and is recorded')
}

async function checkImage(image: (typeof releaseImages)[number], builder: Builder): Promise<BuiltImage> {
  const built = await buildImage(image, builder)
  await requireStart(built.tag)
  const size = `${Math.round(built.bytes / 1024 ** 2)} MiB`
  print(`${builder}: ${image.name.padEnd(18)} ${built.seconds.toFixed(0).padStart(5)} s  ${size.padStart(9)}`)
  return built
}

try {
  await run(process.argv.slice(2))
} catch (error) {
  process.stderr.write(`images: ${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 1
}

/**
 * Starts the fleet of docker-compose.yml, runs the demo against it, replaces every process by the image of its own that
 * was built, requests its health, and runs the demo again.
 * @throws Error if a container does not become healthy or the demo fails
 */
async function checkFleet(
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
